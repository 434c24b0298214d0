package io.idem.jdbc.inbox;

import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.jdbc.internal.ClaimFailure;
import io.idem.jdbc.internal.FailureRows;
import io.idem.jdbc.internal.FailureRows.ClaimedRow;
import io.idem.jdbc.internal.InboxRows;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.springframework.dao.DataAccessException;

/** Claims rows, each in a transaction of its own. Thread-safe. */
final class RowClaims {

    /** The number of tries to claim a row, because claims may be chosen to end a deadlock before the work has run. */
    private static final int MOST_CLAIMS = 5;

    /** The time for which a commit of unknown outcome is asked about while its transaction is open. */
    private static final Duration LONGEST_INQUIRY = Duration.ofSeconds(3);

    private static final Duration INQUIRY_PAUSE = Duration.ofMillis(50);

    private final InboxTransactions transactions;
    private final InboxRows rows;
    private final Optional<FailureRows> failures;
    private final Set<RecordId> openHere = ConcurrentHashMap.newKeySet();

    /** @param failures the failed attempts that a claim looks at; empty if a store counts them */
    RowClaims(InboxTransactions transactions, InboxRows rows, Optional<FailureRows> failures) {
        this.transactions = transactions;
        this.rows = rows;
        this.failures = failures;
    }

    /** Returns claims that look at failed attempts. */
    RowClaims with(FailureRows counted) {
        return new RowClaims(transactions, rows, Optional.of(counted));
    }

    /**
     * Registers the caller for a record; {@link #leave} must follow when its work has ended. Where claims wait, one caller per record and process is admitted, so that a record holds at most one connection.
     *
     * @return whether the caller may claim the row; if not, another one in this process is at the record
     */
    boolean enter(RecordId record) {
        return !rows.claimWaits() || openHere.add(record);
    }

    void leave(RecordId record) {
        openHere.remove(record);
    }

    /**
     * Claims the row of a request.
     *
     * @param longestWait the longest wait for a transaction of the earlier version. Not used on MySQL, where every claim waits for at most one second
     */
    Claiming claim(Request request, Duration longestWait) {
        for (int tries = 1; ; tries++) {
            try {
                return claimOnce(request, longestWait);
            } catch (DataAccessException failure) {
                Optional<Claiming> known = known(request, failure);
                if (known.isPresent()) {
                    return known.get();
                }
                if (tries == MOST_CLAIMS) {
                    throw failure;
                }
            }
        }
    }

    private Claiming claimOnce(Request request, Duration longestWait) {
        return inTransaction(request, longestWait, transaction -> claimed(transaction, request, longestWait))
                .orElseGet(() -> claimAfterFailures(request, longestWait));
    }

    /** Claims the row in a later transaction than the one that found failed attempts, so that it sees the last of them. */
    private Claiming claimAfterFailures(Request request, Duration longestWait) {
        return inTransaction(
                        request,
                        longestWait,
                        transaction -> counted()
                                .claimAfterFailures(request, longestWait)
                                .map(row -> claiming(transaction, row))
                                .or(() -> committed(request)))
                .orElseGet(Claiming.UnderWay::new);
    }

    private Optional<Claiming> inTransaction(
            Request request, Duration longestWait, Function<InboxTransaction, Optional<Claiming>> statements) {
        InboxTransaction transaction = transactions.begin(request.record());
        Optional<Claiming> claiming = transaction.rollingBackOnFailure(
                () -> underFormerKey(request, longestWait).or(() -> statements.apply(transaction)));
        if (claiming.filter(Claiming.Mine.class::isInstance).isEmpty()) {
            transaction.rollBack();
        }
        return claiming;
    }

    /** Claims the row of the key as earlier versions read it; empty if that leaves the present row to be claimed. */
    private Optional<Claiming> underFormerKey(Request request, Duration longestWait) {
        Optional<RecordId> record = InboxRows.former(request.record());
        if (record.isEmpty()) {
            return Optional.empty();
        }
        Lease lease = InboxRows.of(request.lease(), record.get());
        Request former = new Request(lease, request.fingerprint(), request.maxAttempts());
        Optional<ClaimedRow> row = failures.isPresent()
                ? counted().claimAfterFailures(former, longestWait)
                : unfailed(former, longestWait);
        return row.isPresent()
                ? row.get().refusal().map(Claiming.Failed::new)
                : Optional.of(committed(former).orElseGet(Claiming.UnderWay::new));
    }

    private Optional<ClaimedRow> unfailed(Request request, Duration longestWait) {
        return rows.claim(request, longestWait).map(lease -> new ClaimedRow(lease, Optional.empty()));
    }

    /** Claims the row; empty if earlier attempts have failed. */
    private Optional<Claiming> claimed(InboxTransaction transaction, Request request, Duration longestWait) {
        Optional<ClaimedRow> row =
                failures.isPresent() ? counted().claim(request, longestWait) : unfailed(request, longestWait);
        if (row.isPresent()) {
            return Optional.of(claiming(transaction, row.get()));
        }
        Optional<Claiming> committed = committed(request);
        return committed.isPresent() ? committed : withoutRow(request);
    }

    private static Claiming claiming(InboxTransaction transaction, ClaimedRow row) {
        return row.refusal()
                .<Claiming>map(Claiming.Failed::new)
                .orElseGet(() -> new Claiming.Mine(transaction, row.lease()));
    }

    /**
     * Returns the meaning of a claim that found no row; empty if failed attempts may have been in its way. Whether they let
     * the next one begin is known only with the lock of the record, because an attempt under way may be about to commit.
     */
    private Optional<Claiming> withoutRow(Request request) {
        boolean failed =
                failures.flatMap(counted -> counted.find(request.record())).isPresent();
        return failed ? Optional.empty() : Optional.of(new Claiming.UnderWay());
    }

    private FailureRows counted() {
        return failures.orElseThrow();
    }

    private Optional<Claiming> committed(Request request) {
        return rows.find(request.record()).map(Claiming.Done::new);
    }

    /** Returns the meaning of a claim that failed; empty if it should be repeated. */
    private Optional<Claiming> known(Request request, DataAccessException failure) {
        return switch (ClaimFailure.of(failure, rows.claimWaits())) {
            case ROW_LOCKED -> Optional.of(locked(request));
            case ROW_COMMITTED -> transactions.rolledBack(request.record(), () -> committed(request));
            case DEADLOCK -> Optional.empty();
            case OTHER -> throw failure;
        };
    }

    /**
     * Looks for a row that another transaction has locked: it may have been committed, and be locked by a cleaner. Outside a
     * transaction, in which a read would wait for the lock where the isolation level is SERIALIZABLE.
     */
    private Claiming locked(Request request) {
        try {
            return rows.findBeforeLong(request.record())
                    .<Claiming>map(Claiming.Done::new)
                    .orElseGet(Claiming.UnderWay::new);
        } catch (DataAccessException failure) {
            if (ClaimFailure.of(failure, true) == ClaimFailure.ROW_LOCKED) {
                return new Claiming.UnderWay();
            }
            throw failure;
        }
    }

    /**
     * Claims the row after a commit of unknown outcome, which may still be under way on its old connection: asks until
     * that has ended, for at most three seconds. A claim succeeds only if nothing was committed. Failed attempts are ignored, because the failure of another attempt would hide that the commit is still under way.
     */
    Claiming inquire(Request request) throws InterruptedException {
        return new RowClaims(transactions, rows, Optional.empty()).untilEnded(request);
    }

    private Claiming untilEnded(Request request) throws InterruptedException {
        long start = System.nanoTime();
        Claiming claiming = claim(request, LONGEST_INQUIRY);
        while (claiming instanceof Claiming.UnderWay && System.nanoTime() - start < LONGEST_INQUIRY.toNanos()) {
            Thread.sleep(INQUIRY_PAUSE.toMillis());
            claiming = claim(request, LONGEST_INQUIRY);
        }
        return claiming;
    }
}
