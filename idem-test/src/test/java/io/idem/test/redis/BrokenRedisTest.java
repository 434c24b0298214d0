package io.idem.test.redis;

import static io.idem.test.redis.Acquires.granted;
import static io.idem.test.redis.Acquires.lease;
import static io.idem.test.redis.Acquires.request;
import static io.idem.test.redis.Acquires.someRecord;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.redis.RedisSettings;
import io.idem.redis.UnsuitableRedisException;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.spi.IdempotencyStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A Redis that forgets scripts, is full, demoted, blocked, away or unsuitable. */
@Tag("servers")
class BrokenRedisTest {

    private static final StoredResult RECEIPT = StoredResult.of("json", new byte[] {1, 2, 3});
    private static final Fingerprint HUNDRED = Fingerprint.of("100".getBytes(StandardCharsets.UTF_8));
    private static final Fingerprint THOUSAND = Fingerprint.of("1000".getBytes(StandardCharsets.UTF_8));

    private final RedisStoreHarness harness = new RedisStoreHarness();
    private final IdempotencyStore store = harness.store();
    private final RecordId record = someRecord();

    @AfterEach
    void stop() {
        harness.stop();
    }

    private static AbstractThrowableAssert<?, ?> assertUnavailable(Execution execution, ThrowingCallable call) {
        return assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        unavailable -> assertThat(unavailable.execution()).isEqualTo(execution));
    }

    private void set(String setting, String value) {
        harness.redis().configSet(setting, value);
    }

    @Test
    void aScriptThatRedisForgotIsSentAgain() {
        Lease lease = lease(store, record);
        harness.redis().scriptFlush();

        assertThat(store.renew(lease)).isInstanceOf(StoreAnswer.Ok.class);
        harness.redis().scriptFlush();
        assertThat(store.complete(lease, RECEIPT)).isEqualTo(new StoreAnswer.Ok(RECEIPT));
        harness.redis().scriptFlush();
        assertThat(store.acquire(request(record))).isEqualTo(new Claim.Replay(RECEIPT, lease.fence()));
    }

    @Test
    void aFullRedisTakesNoNewWork() {
        set("maxmemory", "1");

        assertUnavailable(Execution.NOT_EXECUTED, () -> store.acquire(request(record)))
                .hasMessageContaining("maxmemory");

        assertThat(store.inspect(record)).isEmpty();
    }

    @Test
    void aFullRedisStillAnswersDuplicates() {
        Lease completed = lease(store, record);
        store.complete(completed, RECEIPT);
        RecordId rejected = someRecord();
        Lease rejectedLease = lease(store, rejected);
        store.reject(rejectedLease, "no");
        RecordId pending = someRecord();
        store.acquire(request(pending, HUNDRED));
        RecordId delayed = someRecord();
        store.fail(lease(store, delayed), Duration.ofMinutes(5));
        set("maxmemory", "1");

        assertThat(store.acquire(request(record))).isEqualTo(new Claim.Replay(RECEIPT, completed.fence()));
        assertThat(store.acquire(request(rejected))).isEqualTo(new Claim.Rejected("no", rejectedLease.fence()));
        assertThat(store.acquire(request(pending))).isInstanceOf(Claim.InProgress.class);
        assertThat(store.acquire(request(pending, THOUSAND))).isEqualTo(new Claim.Mismatch());
        assertThat(store.acquire(request(delayed))).isInstanceOf(Claim.NotYet.class);
    }

    @Test
    void aFullRedisGrantsNothingAgain() {
        AcquireRequest request = request(record);
        store.acquire(request);
        RecordId failed = someRecord();
        store.fail(lease(store, failed), Duration.ZERO);
        set("maxmemory", "1");

        assertUnavailable(Execution.NOT_EXECUTED, () -> store.acquire(request));
        assertUnavailable(Execution.NOT_EXECUTED, () -> store.acquire(request(failed)));
        set("maxmemory", "0");
        harness.advance(Acquires.LEASE);
        set("maxmemory", "1");
        assertUnavailable(Execution.NOT_EXECUTED, () -> store.acquire(request(record)));
    }

    @Test
    void aFullRedisStillSettles() {
        Lease completed = lease(store, record);
        Lease failed = lease(store, someRecord());
        Lease rejected = lease(store, someRecord());
        set("maxmemory", "1");

        assertThat(store.renew(completed)).isInstanceOf(StoreAnswer.Ok.class);
        assertThat(store.complete(completed, RECEIPT)).isEqualTo(new StoreAnswer.Ok(RECEIPT));
        assertThat(store.fail(failed, Duration.ZERO)).isInstanceOf(StoreAnswer.Ok.class);
        assertThat(store.reject(rejected, "no")).isInstanceOf(StoreAnswer.Ok.class);
        assertThat(store.inspect(record).orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aDemotedRedisExecutesNothingUntilItIsPromoted() {
        lease(store, someRecord());
        harness.redis().replicaof("127.0.0.1", 1);

        assertUnavailable(Execution.NOT_EXECUTED, () -> store.acquire(request(record)))
                .hasMessageContaining("replica");

        harness.redis().replicaofNoOne();
        assertThat(granted(store.acquire(request(record))).lease().attempt()).isOne();
    }

    @Test
    void aRedisWithoutItsReplicasExecutesNothing() {
        set("min-replicas-to-write", "1");

        assertUnavailable(Execution.NOT_EXECUTED, () -> store.acquire(request(record)))
                .hasMessageContaining("min-replicas-to-write");

        assertThat(store.inspect(record)).isEmpty();
    }

    @Test
    void aRedisBlockedBySomebodysScriptExecutesNothing() {
        set("busy-reply-threshold", "1");
        lease(store, someRecord());
        try (RedisClient other = RedisClient.create(harness.server().uri())) {
            RedisAsyncCommands<String, String> blocking = other.connect().async();
            var endless = blocking.eval("while true do end", ScriptOutputType.STATUS);
            await().untilAsserted(() -> assertUnavailable(Execution.NOT_EXECUTED, () -> store.acquire(request(record)))
                    .hasMessageContaining("BUSY"));
            harness.redis().scriptKill();
            await().until(endless::isDone);
        }
        assertThat(granted(store.acquire(request(record))).lease().attempt()).isOne();
    }

    @Test
    void fencesStayDistinctEvenIfAFailoverBringsBackAnOlderRecord() {
        lease(store, record);
        byte[] key = Acquires.bytes(Acquires.keyOf(record));
        byte[] replicated = harness.redis().get(key);
        harness.advance(Acquires.LEASE);
        long lost = lease(store, record).fence();
        harness.redis().set(key, replicated);
        harness.advance(Acquires.LEASE);

        assertThat(lease(store, record).fence()).isGreaterThan(lost);
    }

    @Test
    void aKilledRedisIsReportedAtOnceAndUsedAgainWhenItIsBack() {
        lease(store, someRecord());
        harness.server().kill();

        await().untilAsserted(() -> assertUnavailable(Execution.NOT_EXECUTED, () -> store.acquire(request(record))));

        harness.server().start();
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(store.acquire(request(record))).isInstanceOf(Claim.Granted.class));
    }

    @Test
    void aFrozenRedisIsUnknownAndExecutesTheCallLater() {
        lease(store, someRecord());
        AcquireRequest request = request(record);
        harness.server().freeze();
        assertUnavailable(Execution.UNKNOWN, () -> store.acquire(request));
        harness.server().thaw();

        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(store.inspect(record)).isPresent());
        assertThat(granted(store.acquire(request)).kind()).isEqualTo(Claim.GrantKind.REENTRANT);
    }

    @Test
    void aStoreMadeWhileRedisIsAwayConnectsWhenItComes() {
        try (RunningRedis late = RedisServers.start(ServerOptions.own());
                RedisIdempotencyStore early =
                        new RedisIdempotencyStore(RedisSettings.of(RedisURI.create(late.uri())))) {
            late.stop();
            assertUnavailable(Execution.NOT_EXECUTED, early::checkServer);
            assertUnavailable(Execution.NOT_EXECUTED, () -> early.acquire(request(record)));
            late.start();

            assertThat(early.acquire(request(record))).isInstanceOf(Claim.Granted.class);
        }
    }

    @Test
    void anEvictingRedisThatComesLaterIsNotUsed() {
        try (RunningRedis late = RedisServers.start(ServerOptions.own().with("maxmemory-policy", "allkeys-lru"));
                RedisIdempotencyStore early =
                        new RedisIdempotencyStore(RedisSettings.of(RedisURI.create(late.uri())))) {
            late.stop();
            assertUnavailable(Execution.NOT_EXECUTED, () -> early.acquire(request(record)));
            late.start();

            assertUnavailable(Execution.NOT_EXECUTED, () -> early.acquire(request(record)))
                    .hasMessageContaining("allkeys-lru");
            assertThatThrownBy(early::checkServer).isInstanceOf(UnsuitableRedisException.class);
        }
    }

    @Test
    void aClosedStoreAnswersNothing() {
        RedisIdempotencyStore closed = new RedisIdempotencyStore(
                RedisSettings.of(RedisURI.create(harness.server().uri())));
        closed.checkServer();
        closed.close();

        assertUnavailable(Execution.NOT_EXECUTED, () -> closed.acquire(request(record)))
                .hasMessageContaining("closed");
    }
}
