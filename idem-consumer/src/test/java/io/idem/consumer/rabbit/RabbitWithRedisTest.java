package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.OwnerToken;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.contract.EventLog;
import io.idem.servers.SharedServers;
import io.idem.spi.IdempotencyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The same with records in Redis, as in production. */
class RabbitWithRedisTest extends RabbitScenario {

    private final String key = UUID.randomUUID().toString();

    @BeforeEach
    void launchWithRedis() {
        launch(
                AutoListeners.class,
                "test.store=redis",
                "spring.data.redis.url=" + SharedServers.redis().uri());
    }

    private RecordState stateInRedis() {
        return redis().inspect(record(key)).map(RecordSnapshot::state).orElse(RecordState.ABSENT);
    }

    private IdempotencyStore redis() {
        return app().bean(IdempotencyStore.class);
    }

    @Test
    void aMessageRunsOnceAndItsDuplicateDoesNot() {
        send(key, "one");
        send(key, "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one");
        assertThat(stateInRedis()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aMessageWhoseOwnerDiedIsTakenOverWhenTheLeaseEnds() {
        redis().acquire(new AcquireRequest(
                record(key),
                OwnerToken.random(new SecureRandom()),
                Duration.ofSeconds(2),
                ExecutionPolicy.DEFAULT_RETENTION,
                Fingerprint.NONE,
                0,
                0));

        send(key, "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(events(ConsumerEvent.Deferred.class)).isNotEmpty();
        assertThat(script().calls())
                .singleElement()
                .satisfies(call -> assertThat(call.context().takeover()).isTrue());
        assertThat(stateInRedis()).isEqualTo(RecordState.COMPLETED);
    }
}
