package io.idem.jdbc.inbox;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.Fingerprint;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.jdbc.internal.AttemptRow;
import io.idem.jdbc.internal.AttemptRows;
import io.idem.jdbc.internal.ClaimFailure;
import io.idem.jdbc.internal.FailureRow;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.InboxRow;
import io.idem.jdbc.internal.InboxRows;
import io.idem.jdbc.internal.OwnTransactions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Leases of attempts whose transaction is the last phase of their work, where the inbox is the store. While that transaction is
 * open its lock on the row takes the place of the lease. Thread-safe; blocks.
 */
record AttemptLeases(InboxDialect dialect, OwnTransactions database) {

    /** The time after which a duplicate comes again if another session has locked the row. */
    private static final Duration UNDER_WAY = Duration.ofSeconds(1);

    /** The pause after which a lock belongs to the transaction of the owner rather than to an acquire. */
    private static final Duration LONGER_THAN_AN_ACQUIRE = Duration.ofMillis(200);

    Claim acquire(AcquireRequest request) {
        return unlessLocked(() -> database.runKeeping(jdbc -> acquired(jdbc, request), Claim.Granted.class::isInstance))
                .orElseGet(() -> new Claim.InProgress(UNDER_WAY));
    }

    /** Reads before it locks, so that a duplicate of work under way does not disturb that. */
    private Claim acquired(JdbcTemplate jdbc, AcquireRequest request) {
        AttemptRows rows = new AttemptRows(jdbc, dialect);
        Optional<AttemptRow> seen = rows.find(request.record());
        if (seen.filter(row -> row.isUnderWay() && !row.isOf(request.owner())).isPresent()) {
            return done(jdbc, request, seen.get()).orElseGet(() -> underWay(seen.get(), request));
        }
        if (seen.isEmpty()) {
            boolean unused = rows.insert(request.record(), 0);
        }
        return rows.lockAtOnce(request.record())
                .map(row -> acquired(jdbc, rows, row, request))
                .orElseGet(() -> new Claim.InProgress(UNDER_WAY));
    }

    private static Claim underWay(AttemptRow row, AcquireRequest request) {
        return row.fingerprint().matches(request.fingerprint())
                ? new Claim.InProgress(row.remaining())
                : new Claim.Mismatch();
    }

    private Claim acquired(JdbcTemplate jdbc, AttemptRows rows, AttemptRow row, AcquireRequest request) {
        Optional<Claim> done = done(jdbc, request, row);
        if (done.isPresent()) {
            return done.get();
        }
        Optional<FailureRow> failed = new InboxRows(jdbc, dialect).failures().find(request.record());
        int failures = failed.map(FailureRow::attempts).orElse(0);
        if (row.isOf(request.owner())) {
            Lease again = lease(request, row.fence(), failures + row.lapsed() + 1);
            // The owner counts its lease from this call on.
            boolean unused = rows.renew(again);
            return new Claim.Granted(again, GrantKind.REENTRANT);
        }
        if (row.isUnderWay() || !row.fingerprint().matches(request.fingerprint())) {
            return underWay(row, request);
        }
        int attempts = failures + row.allLapsed();
        return refusal(failed, attempts, row, request).orElseGet(() -> granted(rows, row, request, attempts));
    }

    /** Returns the answer of the row of work that took effect. */
    private Optional<Claim> done(JdbcTemplate jdbc, AcquireRequest request, AttemptRow row) {
        return new InboxRows(jdbc, dialect)
                .findUnderEitherKey(request.record())
                .map(InboxRow::effect)
                .map(effect -> effect.fingerprint().matches(request.fingerprint())
                        ? new Claim.Replay(effect.result(), row.fence())
                        : new Claim.Mismatch());
    }

    /** Returns the answer of failed attempts, among which leases count that have ended without a word of their owner. */
    private static Optional<Claim> refusal(
            Optional<FailureRow> failed, int attempts, AttemptRow row, AcquireRequest request) {
        FailureRow all = failed.map(one -> one.counting(attempts, row.fence()))
                .orElseGet(() -> new FailureRow(attempts, row.fence(), Fingerprint.NONE, false, "", Duration.ZERO));
        return all.refusal(new Request(lease(request, 0, 1), request.fingerprint(), request.maxAttempts()));
    }

    private static Claim granted(AttemptRows rows, AttemptRow row, AcquireRequest request, int attempts) {
        GrantKind kind =
                row.isLeased() ? GrantKind.TAKEOVER : attempts > 0 || !row.isNew() ? GrantKind.RETRY : GrantKind.FRESH;
        long least = Math.max(Math.max(row.fence(), request.fenceFloor()) + 1, row.nowMicros());
        Lease lease = lease(request, kind.fence(least), attempts + 1);
        rows.lease(lease, row.allLapsed(), request.fingerprint());
        return new Claim.Granted(lease, kind);
    }

    private static Lease lease(AcquireRequest request, long fence, int attempt) {
        return new Lease(request.record(), request.owner(), fence, attempt, request.lease(), request.retention());
    }

    /** Renews a lease. Work that took no lease has none to lose. */
    StoreAnswer renew(Lease lease) {
        return renewed(lease)
                .or(() -> {
                    pause();
                    return renewed(lease);
                })
                .orElseGet(() -> new StoreAnswer.Ok(StoredResult.NONE));
    }

    /** Renews a lease; empty if another session has locked the row of a lease that is over. */
    private Optional<StoreAnswer> renewed(Lease lease) {
        return unlessLocked(() -> database.run(jdbc -> renewed(jdbc, lease)))
                .or(() -> database.run(jdbc -> new AttemptRows(jdbc, dialect).find(lease.record()))
                        .filter(row -> row.isUnderWay() || row.fence() > lease.fence())
                        .map(row -> answer(row.fence() == lease.fence())));
    }

    private StoreAnswer renewed(JdbcTemplate jdbc, Lease lease) {
        AttemptRows rows = new AttemptRows(jdbc, dialect);
        return rows.lockAtOnce(lease.record())
                .map(row -> answer(row.fence() == lease.fence() && rows.renew(lease)))
                .orElseGet(() -> unlessDoneByAnother(jdbc, lease));
    }

    /** Tells an owner whose row is gone whether another attempt has removed it by its commit. */
    private StoreAnswer unlessDoneByAnother(JdbcTemplate jdbc, Lease lease) {
        return new InboxRows(jdbc, dialect)
                .find(lease.record())
                .filter(row -> !row.writtenUnder(lease))
                .<StoreAnswer>map(row ->
                        new StoreAnswer.Lost(RecordState.COMPLETED, row.effect().result()))
                .orElseGet(() -> new StoreAnswer.Ok(StoredResult.NONE));
    }

    private static StoreAnswer answer(boolean owns) {
        return owns
                ? new StoreAnswer.Ok(StoredResult.NONE)
                : new StoreAnswer.Lost(RecordState.PENDING, StoredResult.NONE);
    }

    private static void pause() {
        try {
            Thread.sleep(LONGER_THAN_AN_ACQUIRE.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static <T> Optional<T> unlessLocked(Supplier<T> transaction) {
        try {
            return Optional.of(transaction.get());
        } catch (DataAccessException failure) {
            if (ClaimFailure.of(failure, true) == ClaimFailure.ROW_LOCKED) {
                return Optional.empty();
            }
            throw failure;
        }
    }
}
