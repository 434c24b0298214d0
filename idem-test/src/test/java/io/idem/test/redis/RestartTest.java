package io.idem.test.redis;

import static io.idem.test.redis.Acquires.lease;
import static io.idem.test.redis.Acquires.request;
import static io.idem.test.redis.Acquires.someRecord;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.spi.IdempotencyStore;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A Redis that is killed and comes back: without its records, or with them. */
@Tag("servers")
class RestartTest {

    private static final StoredResult RECEIPT = StoredResult.of("json", new byte[] {1, 2, 3});

    private final RecordId record = someRecord();

    private static IdempotencyStore store(RunningRedis redis) {
        return new RedisIdempotencyStore(RedisSettings.of(RedisURI.create(redis.uri())));
    }

    private static void restart(RunningRedis redis, IdempotencyStore store) {
        redis.kill();
        redis.start();
        await().ignoreExceptions().until(() -> store.inspect(someRecord()).isEmpty());
    }

    @Test
    void fencesGrowAcrossARestartThatForgotEverything() {
        try (RunningRedis redis = RedisServers.start(ServerOptions.own());
                IdempotencyStore store = store(redis)) {
            Lease before = lease(store, record);
            restart(redis, store);
            assertThat(store.inspect(record)).isEmpty();

            Lease after = lease(store, record);

            assertThat(after.fence()).isGreaterThan(before.fence());
            assertThat(store.complete(before, RECEIPT)).isInstanceOf(StoreAnswer.Lost.class);
            assertThat(store.inspect(record).orElseThrow().state()).isEqualTo(RecordState.PENDING);
        }
    }

    @Test
    void anEffectWhoseRecordWasForgottenIsRecordedAnew() throws Exception {
        try (RunningRedis redis = RedisServers.start(ServerOptions.own());
                IdempotencyStore store = store(redis);
                IdempotentExecutor executor = IdempotentExecutor.on(store).build()) {
            Operation operation = Operation.of(record.key(), record.scope(), ExecutionPolicy.defaults());

            Outcome<String> outcome = executor.execute(operation, context -> {
                restart(redis, store);
                return new WorkResult.Complete<>("paid", RECEIPT);
            });

            assertThat(outcome).isInstanceOf(Outcome.Unrecorded.class);
            assertThat(((Outcome.Unrecorded<String>) outcome).again().get()).isInstanceOf(Outcome.Executed.class);
            assertThat(store.acquire(request(record))).isInstanceOf(Claim.Replay.class);
        }
    }

    @Test
    void aRedisThatKeepsItsDataStillAnswersTheDuplicate() {
        try (RunningRedis redis = RedisServers.start(ServerOptions.own().keepingData());
                IdempotencyStore store = store(redis)) {
            Lease done = lease(store, record);
            store.complete(done, RECEIPT);
            restart(redis, store);

            assertThat(store.acquire(request(record))).isEqualTo(new Claim.Replay(RECEIPT, done.fence()));
        }
    }
}
