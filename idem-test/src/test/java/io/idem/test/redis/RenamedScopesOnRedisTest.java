package io.idem.test.redis;

import static io.idem.test.redis.Acquires.granted;
import static io.idem.test.redis.Acquires.lease;
import static io.idem.test.redis.Acquires.request;
import static io.idem.test.redis.Acquires.someRecord;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.engine.RenamedScopes;
import io.idem.operations.ResultEraser;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The procedures of {@code docs/operations.md} that change what a scope remembers, on a real Redis. */
class RenamedScopesOnRedisTest {

    private static final Scope NOW = new Scope("payments-eu");
    private static final StoredResult RECEIPT = StoredResult.of("json", new byte[] {1, 2, 3});

    private static RedisStoreHarness harness;

    private final RecordId before = someRecord();
    private final RecordId renamed = new RecordId(before.key(), NOW);

    @BeforeAll
    static void start() {
        harness = new RedisStoreHarness();
    }

    @AfterAll
    static void stop() {
        harness.stop();
    }

    private static IdempotencyStore store() {
        return harness.store();
    }

    private IdempotencyStore upgraded() {
        return new RenamedScopes(store(), Map.of(NOW, before.scope()));
    }

    @Test
    void afterARenamingDuplicatesOfOldWorkAreReplayedAndNewWorkRunsUnderTheNewName() {
        Lease old = lease(store(), before);
        assertThat(upgraded().acquire(request(renamed))).isInstanceOf(Claim.InProgress.class);
        store().complete(old, RECEIPT);

        assertThat(upgraded().acquire(request(renamed))).isEqualTo(new Claim.Replay(RECEIPT, old.fence()));
        RecordId fresh = new RecordId(someRecord().key(), NOW);
        assertThat(granted(upgraded().acquire(request(fresh))).kind()).isEqualTo(GrantKind.FRESH);
        assertThat(store().inspect(fresh)).isPresent();
    }

    @Test
    void anOldOwnersEndIsTakenOverUnderTheNewName() {
        Lease dead = lease(store(), before);
        harness.advance(Acquires.LEASE.plus(Duration.ofMinutes(1)));

        Claim.Granted taken = granted(upgraded().acquire(request(renamed)));

        assertThat(taken.kind()).isEqualTo(GrantKind.TAKEOVER);
        assertThat(taken.lease().fence()).isGreaterThan(dead.fence());
    }

    @Test
    void whatIsErasedIsNowhereInRedisAnyMore() {
        store().announce(before.scope());
        store().complete(lease(store(), before), RECEIPT);

        new ResultEraser(store()).erase(before.key());

        assertThat(harness.stored(before)).doesNotContain("010203");
        assertThat(store().acquire(request(before))).isInstanceOf(Claim.Replay.class);
    }
}
