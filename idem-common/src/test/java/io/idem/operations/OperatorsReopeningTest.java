package io.idem.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

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
import io.idem.operations.OperatorAct.Action;
import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OperatorsReopeningTest {

    private static final IdempotencyKey KEY = IdempotencyKey.of("k1");
    private static final Scope PAYMENTS = new Scope("payments");
    private static final Scope RECEIPTS = new Scope("receipts");
    private static final ExecutionPolicy POLICY = ExecutionPolicy.of(Duration.ofMinutes(1), Duration.ofHours(1));

    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore();
    private final RecordOperator operator = new RecordOperator(store, ScopePolicies.same(POLICY), act -> {});

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

    private void assertReopening(RecordState found, boolean done) {
        OperatorAct act = operator.act(Action.REOPEN, new RecordId(KEY, PAYMENTS), "anna", "ticket 7");

        assertThat(act.found()).isEqualTo(found);
        assertThat(act.done()).isEqualTo(done);
    }

    private RecordState state() {
        return store.inspect(new RecordId(KEY, PAYMENTS))
                .map(RecordSnapshot::state)
                .orElse(RecordState.ABSENT);
    }

    @Test
    void rejectedWorkMayRunAgain() {
        store.reject(lease(PAYMENTS), "no such account");

        assertReopening(RecordState.REJECTED, true);

        assertThat(acquire(PAYMENTS, 0)).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void exhaustedWorkMayRunAgainAsOftenAsAtFirst() {
        store.fail(lease(PAYMENTS), Duration.ZERO);
        assertThat(acquire(PAYMENTS, 1)).isInstanceOf(Claim.Exhausted.class);

        assertReopening(RecordState.FAILED, true);

        assertThat(acquire(PAYMENTS, 1)).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void finishedWorkIsLeftAlone() {
        Lease done = lease(PAYMENTS);
        store.complete(done, StoredResult.NONE);

        assertReopening(RecordState.COMPLETED, false);

        assertThat(state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void workInProgressIsLeftAlone() {
        lease(PAYMENTS);

        assertReopening(RecordState.PENDING, false);

        assertThat(acquire(PAYMENTS, 0)).isInstanceOf(Claim.InProgress.class);
    }

    @Test
    void whereThereIsNoRecordNothingIsInTheWay() {
        assertReopening(RecordState.ABSENT, false);
        assertThat(state()).isEqualTo(RecordState.ABSENT);
    }

    @Test
    void allScopesOfAKeyAreReopenedTogether() {
        store.announce(PAYMENTS);
        store.announce(RECEIPTS);
        store.reject(lease(PAYMENTS), "no such account");
        store.complete(lease(RECEIPTS), StoredResult.NONE);

        assertThat(operator.act(Action.REOPEN, KEY, "anna", "ticket 7"))
                .extracting(act -> act.record().scope(), OperatorAct::found, OperatorAct::done)
                .containsExactly(
                        tuple(PAYMENTS, RecordState.REJECTED, true), tuple(RECEIPTS, RecordState.COMPLETED, false));
    }
}
