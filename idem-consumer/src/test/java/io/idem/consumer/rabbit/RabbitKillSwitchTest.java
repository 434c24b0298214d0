package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.RecordState;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Listeners and templates of an application that runs with idem switched off. */
class RabbitKillSwitchTest extends RabbitScenario {

    @Test
    void everyDeliveryRunsAndWhatItPublishesStillCarriesTheSameDerivedKey() {
        launch(AutoListeners.class, "idem.enabled=false");
        ListenerScript.Step publish = call -> {
            app().template().convertAndSend(app().name(), "settled", "receipt");
            return "published";
        };
        script().then(publish, publish);

        send("k1", "one");
        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one", "one");
        assertThat(state("k1")).isEqualTo(RecordState.ABSENT);
        String first = key();
        assertThat(first).isNotNull().isNotEqualTo("k1");
        assertThat(key()).isEqualTo(first);
    }

    private @Nullable String key() {
        return app().awaitMessage("settled").getMessageProperties().getHeader(IdempotencyHeaders.KEY);
    }
}
