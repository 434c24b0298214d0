package io.idem.jdbc.inbox;

import io.idem.Inbox.Effect;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.StoredResult;
import io.idem.jdbc.inbox.ClaimStatements.Found;
import io.idem.jdbc.internal.ClaimFailure;
import io.idem.jdbc.internal.RecordRow;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.dao.DataAccessException;

/**
 * The claim of a record, the answer to a duplicate, and the last write of the work. A row in the state COMPLETED is done work, and
 * nothing else is. Work that a store has granted in this table runs without a claim: its last write completes the record under owner and
 * fence. Thread-safe.
 *
 * @param mode says who grants leases and counts failed attempts
 * @param openHere the records that callers of this process are at, where claims wait
 * @param held the records whose transaction must not meet a renewal
 */
record Claims(
        InboxTransactions transactions,
        ClaimStatements statements,
        Mode mode,
        Set<RecordId> openHere,
        Set<RecordId> held) {

    /** The number of tries to claim a row, because claims may be chosen to end a deadlock before the work has run. */
    private static final int MOST_CLAIMS = 5;

    /** The time for which a commit of unknown outcome is asked about while its transaction is open. */
    private static final Duration LONGEST_INQUIRY = Duration.ofSeconds(3);

    private static final Duration INQUIRY_PAUSE = Duration.ofMillis(50);

    /** Who grants leases and counts failed attempts. */
    enum Mode {
        /** A store elsewhere. */
        BESIDE,
        /** The store whose table this is. */
        SHARED,
        /** Nobody grants leases to whole work: its claim looks at the failed attempts. */
        STORE
    }

    /**
     * Registers the caller for a record; {@link #leave} must follow when its work has ended. Where claims wait, one caller per record and
     * process is admitted, so that a record holds at most one connection.
     *
     * @return whether the caller may claim the row; if not, another one in this process is at the record
     */
    boolean enter(RecordId record) {
        return !statements.claimsWait() || openHere.add(record);
    }

    void leave(RecordId record) {
        openHere.remove(record);
    }

    /** Claims the row of whole work, or begins its transaction where the store of this table has granted its lease. */
    Claiming claim(Request request) {
        return mode == Mode.SHARED && isGranted(request)
                ? repeated(request, () -> underLease(request, request.lease().attempt() > 1))
                : repeated(request, () -> claimOnce(request));
    }

    /** Begins the last phase of work. */
    Claiming begin(Request request) {
        return mode == Mode.BESIDE ? claim(request) : repeated(request, () -> underLease(request, request.lease().attempt() > 1));
    }

    private Claiming repeated(Request request, Supplier<Claiming> once) {
        for (int tries = 1; ; tries++) {
            try {
                return once.get();
            } catch (DataAccessException failure) {
                ClaimFailure reason = ClaimFailure.of(failure, statements.claimsWait());
                if (reason == ClaimFailure.ROW_LOCKED) {
                    // Committed work whose row a cleaner has locked is done all the same.
                    return found(request.record());
                }
                if (reason == ClaimFailure.OTHER || tries == MOST_CLAIMS) {
                    throw failure;
                }
            }
        }
    }

    private Claiming claimOnce(Request request) {
        if (mode == Mode.SHARED) {
            return statements.look(request.record()).flatMap(Claims::answer).orElseGet(Claiming.NotDone::new);
        }
        InboxTransaction transaction = transactions.begin(request.record());
        if (transaction.rollingBackOnFailure(() -> statements.insert(request))) {
            return mine(transaction, request, 1);
        }
        Optional<Found> found = statements.lookAndRollBack(transaction);
        // Neither a claim nor a look means that another transaction has the record, or has just ended.
        return found.map(row -> unlessAnswered(request, row)).orElseGet(Claiming.UnderWay::new);
    }

    private static boolean isGranted(Request request) {
        return request.lease().knownFence() > 0;
    }

    /** Returns the answer of done work, also of work that is to run again once its messages have left. */
    private static Optional<Claiming> answer(Found found) {
        RecordRow row = found.row();
        boolean answers = row.done() ? !row.expired() : row.again() && !row.expired() && !row.underWay();
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
            return underLease(request, row.again());
        }
        if (mode == Mode.BESIDE) {
            return besideStore(request, row);
        }
        return row.underWay()
                ? new Claiming.UnderWay()
                : row.refusal(request).<Claiming>map(Claiming.Failed::new).orElseGet(() -> claimAgain(request, row));
    }

    /**
     * Answers by the row of unfinished work whose attempts a store elsewhere grants and counts. A request without a grant only looks: it
     * leaves a lease that has ended to whoever gets the next one, because its outcome is unknown.
     */
    private Claiming besideStore(Request request, RecordRow row) {
        if (!isGranted(request)) {
            return row.underWay() ? new Claiming.UnderWay() : new Claiming.NotDone();
        }
        boolean later = row.state() == RecordState.PENDING && row.fence() > request.lease().knownFence();
        return later || row.underWay() ? new Claiming.UnderWay() : claimAgain(request, row);
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
        InboxTransaction transaction = transactions.begin(request.record());
        if (transaction.rollingBackOnFailure(() -> statements.claimAgain(request, row.fence(), attempts))) {
            return mine(transaction, request, attempts + 1);
        }
        transaction.rollBack();
        return new Claiming.UnderWay();
    }

    /** Returns a claimed row, whose fence is read in its transaction if anybody asks for it. */
    private Claiming mine(InboxTransaction transaction, Request request, int attempt) {
        Lease asked = request.lease();
        int number = mode == Mode.STORE ? attempt : asked.attempt();
        return new Claiming.Mine(transaction, asked.claimed(number, () -> statements.fence(asked)), true);
    }

    /**
     * Begins the transaction of work under a lease of this table.
     *
     * @param looks whether earlier attempts may have left an answer
     */
    private Claiming underLease(Request request, boolean looks) {
        // Asked before the transaction has the connection, which may be the last one.
        boolean locks = statements.locksUnderLease();
        InboxTransaction transaction = transactions.begin(request.record());
        Optional<Claiming> instead = transaction.rollingBackOnFailure(() -> {
            if (locks && !statements.lockUnderLease(request.record(), held)) {
                return Optional.of(new Claiming.UnderWay());
            }
            Optional<Found> found = looks ? statements.lookInside(request.record()) : Optional.empty();
            return found.flatMap(row -> insteadOf(request.lease(), row));
        });
        if (instead.isPresent()) {
            transaction.rollBack();
            return instead.get();
        }
        return new Claiming.Mine(transaction, request.lease(), false);
    }

    /** Returns the answer of a record to its owner; empty if the work may run. */
    private static Optional<Claiming> insteadOf(Lease lease, Found found) {
        if (!found.row().isLease(lease)) {
            return answer(found).or(() -> Optional.of(new Claiming.UnderWay()));
        }
        return found.row().again()
                ? Optional.of(new Claiming.Done(found.row(), found.effect()))
                : Optional.empty();
    }

    /**
     * Writes the end of the work, as the last statement of its transaction. A claimed row of work without result and messages stays as it
     * was inserted, but is looked for unless the transaction is known to live: that may have ended when a statement failed whose exception
     * the work caught, or by a statement of the work.
     *
     * @throws LostLeaseInTable if another attempt has the record
     */
    void write(Claiming.Mine mine, Effect effect) {
        if (!mine.claimed()) {
            statements.complete(mine.lease(), effect);
        } else if (effect.result().equals(StoredResult.NONE) && effect.outgoing().isEmpty()) {
            statements.requireRow(mine.lease());
        } else {
            statements.end(mine.lease(), effect);
        }
    }

    /** Asks about a commit of unknown outcome until its transaction has ended, for at most three seconds. */
    Claiming inquire(RecordId record) throws InterruptedException {
        long start = System.nanoTime();
        Optional<Claiming> outcome = inquired(record);
        while (outcome.isEmpty() && System.nanoTime() - start < LONGEST_INQUIRY.toNanos()) {
            Thread.sleep(INQUIRY_PAUSE.toMillis());
            outcome = inquired(record);
        }
        return outcome.orElseGet(Claiming.UnderWay::new);
    }

    private Optional<Claiming> inquired(RecordId record) {
        return statements.unlessOpen(record)
                .map(found -> found.flatMap(Claims::answer).orElseGet(Claiming.NotDone::new));
    }
}
