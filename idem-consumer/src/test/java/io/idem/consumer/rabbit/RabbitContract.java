package io.idem.consumer.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.ConsumerAdapterContract;
import io.idem.consumer.contract.ConsumerApplication;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract under both containers and both ways of acknowledging. */
@Tag("servers")
abstract class RabbitContract extends ConsumerAdapterContract {

    private final String container;
    private final String mode;
    private final Class<?> listeners;

    RabbitContract(String container, String mode, Class<?> listeners) {
        this.container = container;
        this.mode = mode;
        this.listeners = listeners;
    }

    @Override
    protected ConsumerApplication start(String... settings) {
        Stream<String> own = Stream.of(
                "spring.rabbitmq.listener.type=" + container,
                "spring.rabbitmq.listener." + container + ".acknowledge-mode=" + mode);
        return RabbitApplication.start(
                List.of(listeners), Stream.concat(own, Stream.of(settings)).toArray(String[]::new));
    }

    @Test
    void aMessageWhoseKeyCanNeverBeReadIsDeadLetteredWhereFailuresAreRequeued() {
        String listener = "spring.rabbitmq.listener." + container + ".";
        launch(listener + "default-requeue-rejected=true", listener + "retry.enabled=false");

        application().send("keyless", Map.of());
        application().send("control", Map.of(IdempotencyHeaders.KEY, "a\u0007b"));

        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(
                        () -> assertThat(application().deadLetters()).containsExactlyInAnyOrder("keyless", "control"));
        assertThat(events(ConsumerEvent.KeyMissing.class)).hasSize(1);
        assertThat(events(ConsumerEvent.KeyInvalid.class)).hasSize(1);
    }

    @Override
    protected int deliveriesPerSecond() {
        return 8;
    }
}
