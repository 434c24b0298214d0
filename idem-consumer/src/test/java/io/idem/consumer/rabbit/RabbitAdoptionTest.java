package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.contract.EventLog;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;

/** Switching idem on over a queue that already holds messages of the time before, as {@code docs/operations.md} describes. */
@Tag("extended")
class RabbitAdoptionTest extends RabbitScenario {

    private static final String STOPPED = "spring.rabbitmq.listener.simple.auto-startup=false";

    private void queueUpThenStart() {
        for (int i = 1; i <= 3; i++) {
            app().send("old-" + i, Map.of());
        }
        send("k1", "new");
        send("k1", "new");
        app().bean(RabbitListenerEndpointRegistry.class).start();
    }

    @Test
    void messagesWithoutKeysAreWorkedOffAndNewOnesAreGuardedFromTheFirstOn() {
        launch(AutoListeners.class, STOPPED, "idem.consumer.missing-key=run-unguarded");

        queueUpThenStart();

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 5);
        assertThat(script().bodies(PAYMENTS)).containsExactlyInAnyOrder("old-1", "old-2", "old-3", "new");
        assertThat(events(ConsumerEvent.KeyMissing.class)).hasSize(3);
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
        assertThat(app().deadLetters()).isEmpty();
    }

    @Test
    void withoutThatSettingTheyAreDeadLettersAndNoneIsLost() {
        launch(AutoListeners.class, STOPPED);

        queueUpThenStart();

        awaitUntil(() -> app().deadLetters().size() == 3);
        assertThat(app().deadLetters()).containsExactlyInAnyOrder("old-1", "old-2", "old-3");
        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(script().bodies(PAYMENTS)).containsExactly("new");
    }
}
