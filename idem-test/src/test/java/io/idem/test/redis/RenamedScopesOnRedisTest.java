package io.idem.test.redis;

import static io.idem.test.redis.Acquires.granted;
import static io.idem.test.redis.Acquires.lease;
import static io.idem.test.redis.Acquires.request;
import static io.idem.test.redis.Acquires.someRecord;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyEventListener;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.operations.ResultEraser;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The procedures of {@code docs/operations.md} that change what a scope remembers, on a real Redis. */
@Tag("servers")
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

    /** Returns the claim of an instance that knows the former name. */
    private Claim claimOfUpgraded(RecordId record) {
        List<Claim> claims = new ArrayList<>();
        IdempotencyEventListener noting = event -> {
            if (event instanceof IdempotencyEvent.Claimed claimed) {
                claims.add(claimed.claim());
            }
        };
        try (IdempotentExecutor upgraded = IdempotentExecutor.on(store())
                .formerNames(Map.of(NOW, before.scope()))
                .listeners(List.of(noting))
                .build()) {
            var unused = upgraded.begin(Operation.of(
                    record.key(), record.scope(), ExecutionPolicy.of(Acquires.LEASE, Duration.ofHours(24))));
        }
        return claims.get(0);
    }

    @Test
    void afterARenamingOldWorkIsReplayedAndNewWorkRunsUnderTheNewName() {
        Lease old = lease(store(), before);
        assertThat(claimOfUpgraded(renamed)).isInstanceOf(Claim.InProgress.class);
        store().complete(old, RECEIPT);

        assertThat(claimOfUpgraded(renamed)).isEqualTo(new Claim.Replay(RECEIPT, old.fence()));
        RecordId fresh = new RecordId(someRecord().key(), NOW);
        assertThat(granted(claimOfUpgraded(fresh)).kind()).isEqualTo(GrantKind.FRESH);
        assertThat(store().inspect(fresh)).isPresent();
    }

    @Test
    void anOldOwnersEndIsTakenOverUnderTheNewName() {
        Lease dead = lease(store(), before);
        harness.advance(Acquires.LEASE.plus(Duration.ofMinutes(1)));

        Claim.Granted taken = granted(claimOfUpgraded(renamed));

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
