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
import io.idem.RecordId;
import io.idem.StoreUnavailableException;
import io.idem.spi.IdempotencyStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An acquire whose sender gave up, sent to a Redis that was stopped (SIGSTOP): it is executed when Redis goes on. */
@Tag("servers")
class GhostAcquireTest {

    private final RedisStoreHarness harness = new RedisStoreHarness();
    private final IdempotencyStore store = harness.store();
    private final RecordId record = someRecord();
    private final AcquireRequest ghost = request(record);

    @BeforeEach
    void sendAndGiveUp() {
        lease(store, someRecord());
        harness.server().freeze();
        assertThatThrownBy(() -> store.acquire(ghost)).isInstanceOf(StoreUnavailableException.class);
        harness.server().thaw();
        await().ignoreExceptions().until(() -> store.inspect(record).isPresent());
    }

    @AfterEach
    void stop() {
        harness.stop();
    }

    @Test
    void whatItsSenderRepeatsIsOneGrant() {
        Claim.Granted again = granted(store.acquire(ghost));

        assertThat(again.kind()).isEqualTo(Claim.GrantKind.REENTRANT);
        assertThat(again.lease().attempt()).isEqualTo(1);
        assertThat(again.lease().fence())
                .isEqualTo(store.inspect(record).orElseThrow().fence());
    }

    @Test
    void aGrantThatNobodyWaitsForIsTakenOverWhenItsLeaseEnds() {
        long fence = store.inspect(record).orElseThrow().fence();
        assertThat(store.acquire(request(record))).isInstanceOf(Claim.InProgress.class);

        harness.advance(ghost.lease());

        Claim.Granted takeover = granted(store.acquire(request(record)));
        assertThat(takeover.kind()).isEqualTo(Claim.GrantKind.TAKEOVER);
        assertThat(takeover.lease().fence()).isGreaterThan(fence);
        assertThat(store.acquire(ghost)).isInstanceOf(Claim.InProgress.class);
    }
}
