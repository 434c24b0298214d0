package io.idem.test.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AttemptPolicy;
import io.idem.ExecutionPolicy;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordId;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.TakeoverPolicy;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.retry.RetrySettings;
import io.idem.retry.RetryingIdempotencyStore;
import io.idem.servers.RunningRedis;
import io.idem.spi.IdempotencyStore;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Redis is stopped (SIGSTOP) for longer than calls are repeated, and goes on: it executes the acquire of work that was deferred. Where
 * unknown outcomes are rejected, that work must not become a dead letter, for it never ran.
 */
@Tag("servers")
class FrozenRedisTest {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration LONG = Duration.ofSeconds(60);

    private final RedisStoreHarness harness = new RedisStoreHarness(FrozenRedisTest::store);
    private final IdempotencyStore othersStore = store(harness.server());
    private final IdempotentExecutor one =
            IdempotentExecutor.on(harness.store()).build();
    private final IdempotentExecutor another =
            IdempotentExecutor.on(othersStore).build();
    private final RecordId record = Acquires.someRecord();
    private final AtomicInteger runs = new AtomicInteger();

    private static IdempotencyStore store(RunningRedis server) {
        return new RetryingIdempotencyStore(
                new RedisIdempotencyStore(RedisSettings.of(RedisURI.create(server.uri()))),
                RetrySettings.within(Duration.ofMillis(100)));
    }

    @BeforeEach
    void deferWork() throws Exception {
        execute(one, Acquires.someRecord());
        harness.server().freeze();
        assertThatThrownBy(() -> execute(one, record)).isInstanceOf(StoreUnavailableException.class);
        harness.server().thaw();
        await().atMost(LONG)
                .ignoreExceptions()
                .until(() -> othersStore.inspect(record).isPresent());
        runs.set(0);
    }

    @AfterEach
    void stop() {
        one.close();
        another.close();
        othersStore.close();
        harness.stop();
    }

    private Outcome<String> execute(IdempotentExecutor executor, RecordId id) throws Exception {
        ExecutionPolicy rejecting = ExecutionPolicy.of(LEASE, Duration.ofHours(24))
                .withMaxAttempts(2)
                .withAttempts(AttemptPolicy.DEFAULT.withTakeover(TakeoverPolicy.reject()));
        return executor.execute(Operation.of(id.key(), id.scope(), rejecting), context -> {
            runs.incrementAndGet();
            return new WorkResult.Complete<>("charged", StoredResult.NONE);
        });
    }

    @Test
    void aRedeliveryToTheSameProcessRunsAtOnce() throws Exception {
        assertThat(execute(one, record)).isInstanceOf(Outcome.Executed.class);

        assertThat(runs).hasValue(1);
    }

    @Test
    void aRedeliveryToTheSameProcessRunsAfterTheLeaseOfAnUnheardGrant() throws Exception {
        harness.advance(LEASE);

        assertThat(execute(one, record)).isInstanceOf(Outcome.Executed.class);

        assertThat(runs).hasValue(1);
    }

    @Test
    void aRedeliveryToAnotherProcessRunsLongBeforeTheLeaseEnds() {
        await().atMost(LONG).until(() -> execute(another, record) instanceof Outcome.Executed);

        assertThat(runs).hasValue(1);
    }
}
