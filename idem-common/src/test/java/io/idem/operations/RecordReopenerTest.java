package io.idem.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.StoredResult;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.RecordReopener.Reopening;
import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecordReopenerTest {

    private static final IdempotencyKey KEY = IdempotencyKey.of("k1");
    private static final Scope PAYMENTS = new Scope("payments");
    private static final Scope RECEIPTS = new Scope("receipts");
    private static final ExecutionPolicy POLICY = ExecutionPolicy.of(Duration.ofMinutes(1), Duration.ofHours(1));

    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore();
    private final RecordReopener reopener = new RecordReopener(store, ScopePolicies.same(POLICY));

    private Claim acquire(Scope scope, int maxAttempts) {
        return store.acquire(new AcquireRequest(
                new RecordId(KEY, scope),
                OwnerToken.random(new SecureRandom()),
                POLICY.lease(),
                POLICY.retention(),
                Fingerprint.NONE,
                0,
                maxAttempts));
    }

    private Lease lease(Scope scope) {
        return ((Claim.Granted) acquire(scope, 0)).lease();
    }

    private RecordState state() {
        return store.inspect(new RecordId(KEY, PAYMENTS))
                .map(RecordSnapshot::state)
                .orElse(RecordState.ABSENT);
    }

    @Test
    void rejectedWorkMayRunAgain() {
        store.reject(lease(PAYMENTS), "no such account");

        assertThat(reopener.reopen(KEY, PAYMENTS)).contains(new Reopening(PAYMENTS, RecordState.REJECTED, true));

        assertThat(acquire(PAYMENTS, 0)).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void exhaustedWorkMayRunAgainAsOftenAsAtFirst() {
        store.fail(lease(PAYMENTS), Duration.ZERO);
        assertThat(acquire(PAYMENTS, 1)).isInstanceOf(Claim.Exhausted.class);

        assertThat(reopener.reopen(KEY, PAYMENTS)).contains(new Reopening(PAYMENTS, RecordState.FAILED, true));

        assertThat(acquire(PAYMENTS, 1)).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void finishedWorkIsLeftAlone() {
        Lease done = lease(PAYMENTS);
        store.complete(done, StoredResult.NONE);

        assertThat(reopener.reopen(KEY, PAYMENTS)).contains(new Reopening(PAYMENTS, RecordState.COMPLETED, false));

        assertThat(state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void workInProgressIsLeftAlone() {
        lease(PAYMENTS);

        assertThat(reopener.reopen(KEY, PAYMENTS)).contains(new Reopening(PAYMENTS, RecordState.PENDING, false));

        assertThat(acquire(PAYMENTS, 0)).isInstanceOf(Claim.InProgress.class);
    }

    @Test
    void whereThereIsNoRecordNothingIsInTheWay() {
        assertThat(reopener.reopen(KEY, PAYMENTS)).isEmpty();
        assertThat(state()).isEqualTo(RecordState.ABSENT);
    }

    @Test
    void allScopesOfAKeyAreReopenedTogether() {
        store.announce(PAYMENTS);
        store.announce(RECEIPTS);
        store.reject(lease(PAYMENTS), "no such account");
        store.complete(lease(RECEIPTS), StoredResult.NONE);

        assertThat(reopener.reopen(KEY))
                .containsExactly(
                        new Reopening(PAYMENTS, RecordState.REJECTED, true),
                        new Reopening(RECEIPTS, RecordState.COMPLETED, false));
    }
}
