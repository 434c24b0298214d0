package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.Inbox.Beginning;
import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.Lease;
import io.idem.Outcome;
import io.idem.OwnerToken;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.spi.ForcedEnd;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Work whose transaction is its last phase in an inbox that is the store. */
abstract class StoreLastPhaseContract extends LastPhaseContract {

    @Override
    final boolean alone() {
        return true;
    }

    @Test
    void leasesAreRenewedUntilAnotherOwnerTakesThem() throws Exception {
        Lease lease = acquired();
        Instant end = store.inspect(RECORD).orElseThrow().at();

        assertThat(renewed(lease)).isInstanceOf(StoreAnswer.Ok.class);
        assertThat(store.inspect(RECORD).orElseThrow().at()).isAfter(end);
        lapse();
        assertThat(renewed(lease)).as("nobody took it").isInstanceOf(StoreAnswer.Ok.class);
        lapse();
        var unused = acquired();
        assertThat(renewed(lease)).isInstanceOf(StoreAnswer.Lost.class);
    }

    @Test
    void aLeaseIsRenewedWhileItsTransactionIsOpenAndLostWhenItIsNot() throws Exception {
        Lease lease = acquired();
        Beginning.Begun transaction =
                (Beginning.Begun) inbox.lastPhase().orElseThrow().begin(Leases.request(lease));
        lapseElsewhere();
        assertThat(onAnotherThread(() -> renewed(lease))).isInstanceOf(StoreAnswer.Ok.class);
        assertThat(onAnotherThread(() -> claimed())).isInstanceOf(Claim.InProgress.class);
        lapseElsewhere();
        Claim.Granted successor = (Claim.Granted) onAnotherThread(() -> claimed());

        InboxOutcome stale = transaction.commit(mine -> Optional.empty(), new Effect(StoredResult.NONE, List.of()));

        assertThat(stale).isEqualTo(new InboxOutcome.Open());
        assertThat(onAnotherThread(() -> renewed(successor.lease()))).isInstanceOf(StoreAnswer.Ok.class);
    }

    private void lapseElsewhere() throws Exception {
        boolean unused = onAnotherThread(() -> {
            lapse();
            return true;
        });
    }

    @Test
    void aStaleOwnerRenewsNothingOnceItsSuccessorHasCommitted() throws Exception {
        Lease stale = acquired();
        lapse();
        assertThat(executor.execute(operation(), paying())).isInstanceOf(Outcome.Executed.class);

        assertThat(renewed(stale)).isInstanceOf(StoreAnswer.Lost.class);
    }

    @Test
    void aRepeatedAcquireRenewsItsLease() {
        OwnerToken owner = OwnerToken.random(new SecureRandom());
        Claim first = claimed(owner);
        lapse();

        assertThat(first).isInstanceOf(Claim.Granted.class);
        assertThat(claimed(owner)).isInstanceOf(Claim.Granted.class);
        assertThat(claimed()).isInstanceOf(Claim.InProgress.class);
    }

    /** The grant of a first attempt has read what there is: nothing is asked before its first step. */
    @Test
    void anOutageBehindTheFirstStepDefersTheAttemptAtTheEndOfItsLease() throws Exception {
        AtomicLong ahead = new AtomicLong();
        IdempotentExecutor own = IdempotentExecutor.on(store)
                .inbox(inbox)
                .clock(() -> System.nanoTime() + ahead.get())
                .build();
        try (own) {
            Outcome<String> outcome = own.execute(operation(), attempt -> {
                silenceSteps();
                String charge = attempt.step("charge", String.class, step -> {
                    ahead.set(LEASE.toNanos());
                    return called("charge");
                });
                return booked(charge);
            });

            assertThat(outcome).isInstanceOf(Outcome.InProgress.class);
        }
        answerSteps();
        assertThat(inbox.find(RECORD)).isEmpty();
        assertThat(claimed()).as("the lease is not given back").isInstanceOf(Claim.InProgress.class);
        lapse();
        assertThat(executor.execute(operation(), paying())).isInstanceOf(Outcome.Executed.class);
        assertThat(calls).containsExactly("charge", "charge");
    }

    @Test
    void attemptsThatDoNotCountEndTheirLeaseAndLeaveNoFailure() {
        assertThat(uncounted(acquired())).isInstanceOf(StoreAnswer.Ok.class);

        assertThat(store.inspect(RECORD).orElseThrow().attempts()).isZero();
        assertThat(acquired().attempt()).isOne();
    }

    @Test
    void aTakeoverThatDoesNotCountIsLeftToTheNextGrant() {
        Lease stale = acquired();
        lapse();
        Lease left = acquired();
        assertThat(uncounted(stale)).as("somebody else's lease").isInstanceOf(StoreAnswer.Lost.class);

        assertThat(uncounted(left)).isInstanceOf(StoreAnswer.Ok.class);
        assertThat(uncounted(left)).as("repeated").isInstanceOf(StoreAnswer.Ok.class);

        assertThat(store.inspect(RECORD).orElseThrow().state()).isEqualTo(RecordState.PENDING);
        assertThat(renewed(left)).isInstanceOf(StoreAnswer.Lost.class);
        assertThat(claimed()).isInstanceOfSatisfying(Claim.Granted.class, next -> {
            assertThat(next.isTakeover()).isTrue();
            assertThat(next.lease().attempt()).isEqualTo(2);
            assertThat(next.lease().fence()).isGreaterThan(left.fence());
        });
    }

    @Test
    void aReopenedLeaseThatLapsedIsTakenOverAsTheFirstAttempt() {
        Lease stale = acquired();
        lapse();

        for (String time : List.of("once", "repeated")) {
            assertThat(store.reopen(RECORD, stale.fence(), POLICY.retention()))
                    .as(time)
                    .isInstanceOf(StoreAnswer.Ok.class);
        }

        RecordSnapshot reopened = store.inspect(RECORD).orElseThrow();
        assertThat(reopened.state()).isEqualTo(RecordState.PENDING);
        assertThat(reopened.attempts()).isZero();
        assertThat(renewed(stale)).isInstanceOf(StoreAnswer.Lost.class);
        assertThat(claimed()).isInstanceOfSatisfying(Claim.Granted.class, next -> {
            assertThat(next.isTakeover()).isTrue();
            assertThat(next.lease().attempt()).isOne();
        });
    }

    private StoreAnswer uncounted(Lease lease) {
        return store.update(new RecordUpdate.Fail(lease, Duration.ZERO, false));
    }

    @Test
    void operatorsCompleteWorkWhoseLeaseLapsed() throws Exception {
        Lease stale = acquired();
        assertThat(forced(stale, ForcedEnd.COMPLETED)).as("a live owner").isInstanceOf(StoreAnswer.Lost.class);
        lapse();

        assertThat(forced(stale, ForcedEnd.COMPLETED)).isInstanceOf(StoreAnswer.Ok.class);

        assertThat(rowsOfAttempts()).isZero();
        Beginning.Begun late =
                (Beginning.Begun) inbox.lastPhase().orElseThrow().begin(Leases.request(stale));
        assertThat(late.commit(mine -> Optional.empty(), new Effect(StoredResult.NONE, List.of())))
                .isInstanceOf(InboxOutcome.Found.class);
        assertThat(claimed()).isInstanceOf(Claim.Replay.class);
    }

    @Test
    void operatorsReleaseWorkWhoseLeaseLapsed() throws Exception {
        Lease stale = acquired();
        lapse();

        assertThat(forced(stale, ForcedEnd.FAILED)).isInstanceOf(StoreAnswer.Ok.class);

        RecordSnapshot failed = store.inspect(RECORD).orElseThrow();
        assertThat(failed.state()).isEqualTo(RecordState.FAILED);
        assertThat(failed.attempts()).isOne();
        assertThat(acquired().attempt()).isEqualTo(2);
    }

    private StoreAnswer forced(Lease lease, ForcedEnd end) {
        return store.force(RECORD, lease.fence(), end, POLICY.retention());
    }

    private Lease acquired() {
        return ((Claim.Granted) claimed()).lease();
    }

    private Claim claimed() {
        return claimed(OwnerToken.random(new SecureRandom()));
    }

    private Claim claimed(OwnerToken owner) {
        AcquireRequest request =
                new AcquireRequest(RECORD, owner, POLICY.lease(), POLICY.retention(), Fingerprint.NONE, 0, 0);
        return inbox.failures().orElseThrow().grant(request);
    }

    private StoreAnswer renewed(Lease lease) {
        return store.update(List.of(new RecordUpdate.Renew(lease)))
                .get(0)
                .toCompletableFuture()
                .join();
    }
}
