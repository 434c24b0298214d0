package io.idem.consumer.internal.guard;

import static io.idem.consumer.internal.guard.Refusals.application;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.FailurePolicy;
import io.idem.Idempotent;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.suspending.LaunchingService;
import io.idem.consumer.suspending.SuspendingService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.kafka.annotation.KafkaListener;

/** The annotation of methods of any bean on listeners of messages. */
@Tag("extended")
class OtherAnnotationTest {

    static class Both {

        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "listener")
        @Idempotent(scope = "method", key = "#body")
        void on(String body) {}
    }

    static class OnlyTheOther {

        @KafkaListener(topics = "topic", groupId = "group")
        @Idempotent(scope = "method", key = "#body")
        void on(String body) {}
    }

    @ParameterizedTest
    @ValueSource(classes = {Both.class, OnlyTheOther.class})
    void itIsRefusedOnAListener(Class<?> listener) {
        application(listener)
                .run(context -> assertThat(FailurePolicy.causes(requireNonNull(context.getStartupFailure()))
                                .map(Throwable::getMessage))
                        .anySatisfy(message -> assertThat(message)
                                .contains(
                                        "@Idempotent " + listener.getSimpleName() + ".on is a listener of messages",
                                        "Use @IdempotentListener instead")));
    }

    @ParameterizedTest
    @CsvSource({"pay, is a suspending function", "start, returns Job"})
    void aCoroutineIsRefused(String function, String problem) {
        Class<?> service = function.equals("pay") ? SuspendingService.class : LaunchingService.class;
        application(service)
                .run(context -> assertThat(FailurePolicy.causes(requireNonNull(context.getStartupFailure()))
                                .map(Throwable::getMessage))
                        .anySatisfy(message -> assertThat(message)
                                .contains("@Idempotent " + service.getSimpleName() + "." + function + " " + problem)));
    }
}
