package io.idem.jdbc.inbox;

import io.idem.Claim;
import io.idem.Inbox.Effect;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.jdbc.inbox.ClaimStatements.Found;
import io.idem.jdbc.internal.ClaimFailure;
import io.idem.jdbc.internal.RecordRow;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.dao.DataAccessException;

/**
 * The claim of a record, and the answer to a duplicate. A row in the state COMPLETED is done work, and nothing else is. Work that a
 * store has granted in this table runs without a claim: its last statement completes the record under owner and fence. Thread-safe.
 *
 * @param mode says who grants leases and counts failed attempts
 * @param openHere the records that callers of this process claim, where claims wait: one for each, so that a record holds at most one
 *     connection
 * @param leased begins the transactions of work that has a lease
 */
record Claims(
        InboxTransactions transactions,
        ClaimStatements statements,
        Mode mode,
        Set<RecordId> openHere,
        LeasedWork leased) {

    /** The number of tries to claim a row, because claims may be chosen to end a deadlock before the work has run. */
    private static final int MOST_CLAIMS = 5;

    /** Who grants leases and counts failed attempts. */
    enum Mode {
        /** A store elsewhere. */
        BESIDE,
        /** The store whose table this is. */
        SHARED,
        /** Nobody grants leases to whole work: its claim looks at the failed attempts. */
        STORE
    }

    /** Claims the row of whole work, or begins its transaction where the store of this table has granted its lease. */
    Claiming claim(Request request) {
        return repeated(request, () -> mode == Mode.SHARED ? onSharedRecord(request) : claimOnce(request));
    }

    /** Begins the last phase of work. */
    Claiming begin(Request request) {
        return mode == Mode.BESIDE
                ? claim(request)
                : repeated(request, () -> leased.begin(request, false));
    }

    private Claiming repeated(Request request, Supplier<Claiming> once) {
        for (int tries = 1; ; tries++) {
            try {
                return once.get();
            } catch (DataAccessException failure) {
                ClaimFailure reason = ClaimFailure.of(failure, statements.claimsWait());
                if (reason == ClaimFailure.ROW_LOCKED) {
                    // A cleaner may have locked the row of work that is done.
                    return found(request.record());
                }
                if (reason == ClaimFailure.OTHER || tries == MOST_CLAIMS) {
                    throw failure;
                }
            }
        }
    }

    private Claiming onSharedRecord(Request request) {
        if (isGranted(request)) {
            return leased.begin(request, false);
        }
        Optional<Found> found = statements.look(request.record());
        return found.flatMap(Claims::answer)
                .or(() -> found.map(row -> exhausted(request, row.row())))
                .orElseGet(Claiming.NotDone::new);
    }

    private Claiming claimOnce(Request request) {
        Optional<InboxTransaction> begun = begun(request.record());
        if (begun.isEmpty()) {
            return new Claiming.UnderWay();
        }
        if (begun.get().rollingBackOnFailure(() -> statements.insert(request))) {
            return mine(begun.get(), request, 1);
        }
        Optional<Found> found = statements.lookAndRollBack(begun.get());
        // Neither a claim nor a look means that another transaction has the record, or has just ended.
        return found.map(row -> unlessAnswered(request, row)).orElseGet(Claiming.UnderWay::new);
    }

    /** Begins the transaction of a claim; empty if claims wait and another caller in this process is at the record. */
    private Optional<InboxTransaction> begun(RecordId record) {
        return statements.claimsWait()
                ? transactions.beginUnlessIn(openHere, record)
                : Optional.of(transactions.begin(record));
    }

    private static boolean isGranted(Request request) {
        return request.lease().knownFence() > 0;
    }

    /** Returns the answer of done work, also of work that is to run again once its messages have left. */
    static Optional<Claiming> answer(Found found) {
        RecordRow row = found.row();
        boolean answers = !row.expired() && (row.done() || (row.again() && !row.underWay()));
        return answers ? Optional.of(new Claiming.Done(row, found.effect())) : Optional.empty();
    }

    /** Returns the effect that answers duplicates, if there is one. */
    static Optional<Effect> effect(Found found) {
        return answer(found).map(done -> found.effect());
    }

    /** Returns what the row says to an attempt that has lost it. */
    Claiming found(RecordId record) {
        return statements.look(record).flatMap(Claims::answer).orElseGet(Claiming.UnderWay::new);
    }

    private Claiming unlessAnswered(Request request, Found found) {
        RecordRow row = found.row();
        Optional<Claiming> answer = answer(found);
        if (answer.isPresent() || row.expired()) {
            return answer.orElseGet(() -> claimAgain(request, row));
        }
        if (isGranted(request) && row.isLease(request.lease())) {
            return leased.begin(request, row.again());
        }
        if (mode == Mode.BESIDE) {
            return besideStore(request, row);
        }
        Optional<Claim> refusal = row.underWay() ? Optional.empty() : row.refusal(request);
        if (refusal.filter(Claim.Exhausted.class::isInstance).isPresent()
                && exhausted(request, row) instanceof Claiming.UnderWay open) {
            return open;
        }
        return row.underWay()
                ? new Claiming.UnderWay()
                : refusal.<Claiming>map(Claiming.Failed::new).orElseGet(() -> claimAgain(request, row));
    }

    /** Answers by the row of unfinished work whose attempts a store elsewhere grants and counts. */
    private Claiming besideStore(Request request, RecordRow row) {
        if (!isGranted(request)) {
            return exhausted(request, row);
        }
        boolean later = row.state() == RecordState.PENDING && row.fence() > request.lease().knownFence();
        return later || row.underWay() ? new Claiming.UnderWay() : claimAgain(request, row);
    }

    /**
     * Answers a request that gets no grant, because the attempts of its record are used up. A lease that has ended is taken from its
     * owner, whose transaction may be open and cannot commit any more; its outcome stays unknown.
     */
    private Claiming exhausted(Request request, RecordRow row) {
        boolean taken = row.state() != RecordState.PENDING
                || (!row.underWay() && (row.owner() == null || statements.disown(request.record(), row.fence())));
        return taken ? new Claiming.NotDone() : new Claiming.UnderWay();
    }

    /**
     * Claims a row that is there in a transaction that begins after the look. What the row says of an ended lease, or of a record that has
     * expired, is committed before: the old owner would wait for all of the work otherwise.
     */
    private Claiming claimAgain(Request request, RecordRow row) {
        boolean failures = mode == Mode.BESIDE;
        if (row.expired() || !row.rests() || failures) {
            statements.lapse(request.record(), failures);
        }
        int attempts = row.expired() ? 0 : row.snapshot().attempts();
        Optional<InboxTransaction> begun = begun(request.record());
        if (begun.isEmpty()) {
            return new Claiming.UnderWay();
        }
        if (begun.get().rollingBackOnFailure(() -> statements.claimAgain(request, row.fence(), attempts))) {
            return mine(begun.get(), request, attempts + 1);
        }
        begun.get().rollBack();
        return new Claiming.UnderWay();
    }

    /** Returns a claimed row, whose fence is read in its transaction if anybody asks for it. */
    private Claiming mine(InboxTransaction transaction, Request request, int attempt) {
        Lease asked = request.lease();
        int number = mode == Mode.STORE ? attempt : asked.attempt();
        return new Claiming.Mine(transaction, asked.claimed(number, () -> statements.fence(asked)), true, false);
    }
}
