package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Idempotent;
import io.idem.Lease;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotentListener;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.kafka.annotation.KafkaListener;

/** Idempotent listeners that call an {@code @Idempotent} method whose key is at work elsewhere. */
@Tag("servers")
class CallInProgressTest {

    /** Boot's own error handler gives a record up after ten failures, and the listener with a back-off after three. */
    @ParameterizedTest
    @ValueSource(classes = {OfRecords.class, BackingOff.class, OfBatches.class, Async.class})
    void aListenerWhoseCallIsInProgressHasNotFailed(Class<?> listener) {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(listener, Service.class).start()) {
            Lease otherOwner = application.store().occupy("one", "inner", Duration.ofMinutes(5));
            application.send("k1", "one");
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> application.bean(Service.class).calls() >= 12);
            application.store().fail(otherOwner, Duration.ZERO);

            await().until(() -> application.committed() == 1);
            Optional<RecordSnapshot> outer = application.store().look("k1", "outer");
            assertThat(outer.map(RecordSnapshot::state)).contains(RecordState.COMPLETED);
            assertThat(outer.map(RecordSnapshot::attempts)).contains(1);
            assertThat(application.journal().events(ConsumerEvent.DeadLettered.class))
                    .isEmpty();
        }
    }

    static class Service {

        private final AtomicInteger calls = new AtomicInteger();

        int calls() {
            return calls.get();
        }

        /** Not guarded. */
        void enter() {
            calls.incrementAndGet();
        }

        @Idempotent(scope = "inner", key = "#body")
        void pay(String body) {}
    }

    /** What the listeners have in common. */
    abstract static class Caller {

        private final Service service;

        Caller(Service service) {
            this.service = service;
        }

        void call(String body) {
            service.enter();
            service.pay(body);
        }
    }

    static class OfRecords extends Caller {

        OfRecords(Service service) {
            super(service);
        }

        @KafkaListener(topics = "${test.topic}")
        @IdempotentListener(scope = "outer")
        void on(String body) {
            call(body);
        }
    }

    static class BackingOff extends Caller {

        BackingOff(Service service) {
            super(service);
        }

        @KafkaListener(topics = "${test.topic}")
        @IdempotentListener(scope = "outer", backoff = "10ms", maxAttempts = "3")
        void on(String body) {
            call(body);
        }
    }

    static class OfBatches extends Caller {

        OfBatches(Service service) {
            super(service);
        }

        @KafkaListener(topics = "${test.topic}", batch = "true")
        @IdempotentListener(scope = "outer", maxAttempts = "3")
        void on(List<String> bodies) {
            bodies.forEach(this::call);
        }
    }

    static class Async extends Caller {

        Async(Service service) {
            super(service);
        }

        @KafkaListener(topics = "${test.topic}")
        @IdempotentListener(scope = "outer")
        CompletableFuture<@Nullable Void> on(String body) {
            return CompletableFuture.runAsync(() -> call(body));
        }
    }
}
