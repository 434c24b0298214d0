package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.ContractConfiguration.CollectedEvents;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.contract.ObservedStore;
import io.idem.consumer.contract.OtherOwner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** One application of a test, and short words for what tests do with it. */
@Tag("servers")
abstract class RabbitScenario {

    static final Duration TIME_LIMIT = Duration.ofMinutes(2);
    static final String MANUAL = "spring.rabbitmq.listener.simple.acknowledge-mode=manual";
    /** A routing key that leads to no queue. */
    static final String NOWHERE = "nowhere";

    static final String NO_RETRY = "spring.rabbitmq.listener.simple.retry.enabled=false";

    private @Nullable RabbitApplication started;

    @AfterEach
    void close() {
        if (started != null) {
            started.close();
        }
    }

    RabbitApplication app() {
        return Objects.requireNonNull(started, "not launched");
    }

    void launch(Class<?> listeners, String... settings) {
        launch(List.of(listeners), settings);
    }

    void launch(List<Class<?>> sources, String... settings) {
        started = start(sources, settings);
    }

    RabbitApplication start(List<Class<?>> sources, String... settings) {
        return RabbitApplication.start(sources, settings);
    }

    void send(String key, String body) {
        app().send(body, Map.of(IdempotencyHeaders.KEY, key));
    }

    ListenerScript script() {
        return app().bean(ListenerScript.class);
    }

    EventLog log() {
        return app().bean(EventLog.class);
    }

    ObservedStore store() {
        return app().bean(ObservedStore.class);
    }

    <E extends ConsumerEvent> List<E> events(Class<E> kind) {
        return app().bean(CollectedEvents.class).of(kind);
    }

    RecordState state(String key) {
        return store().inspect(record(key)).map(RecordSnapshot::state).orElse(RecordState.ABSENT);
    }

    static RecordId record(String key) {
        return new RecordId(IdempotencyKey.of(key), new Scope(PAYMENTS));
    }

    Lease takeAsOtherOwner(String key) {
        return OtherOwner.take(store(), record(key));
    }

    static void awaitUntil(Callable<Boolean> condition) {
        await().atMost(TIME_LIMIT).until(condition);
    }
}
