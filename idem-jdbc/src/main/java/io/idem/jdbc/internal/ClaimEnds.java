package io.idem.jdbc.internal;

import static io.idem.internal.Durations.longer;

import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.RememberedSteps;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementSetter;

/**
 * Writes to records outside of the transactions of their work that need no lease: the end of claimed work without effect, and the
 * begin of steps beside another store. Each is written unless another attempt has the record, for which nothing waits. PostgreSQL
 * does so in one statement. Thread-safe; blocks.
 */
public record ClaimEnds(InboxDialect dialect, OwnTransactions database, LockedRecords records) {

    /** A character that PostgreSQL's text cannot hold. */
    private static final char NUL = '\0';

    private static final char REPLACEMENT = '\ufffd';
    private static final String FAILED = InboxSql.failedOnPostgres();
    private static final String BEGUN = InboxSql.begunOnPostgres();

    public ClaimEnds(InboxDialect dialect, OwnTransactions database) {
        this(dialect, database, new LockedRecords(dialect, database));
    }

    /**
     * Counts an attempt without effect, once for each owner; returns whether it is written.
     *
     * @param state FAILED or REJECTED
     */
    public boolean failed(Request attempt, RecordState state, Duration delay, String reason) {
        return unlessTaken(jdbc -> failed(jdbc, attempt, state, delay, reason)).orElse(false);
    }

    private boolean failed(JdbcTemplate jdbc, Request attempt, RecordState state, Duration delay, String reason) {
        Lease lease = attempt.lease();
        Duration kept = longer(delay, lease.retention());
        String why = reason.replace(NUL, REPLACEMENT);
        if (!dialect.claimLocks()) {
            return records.failed(jdbc, attempt, state, delay, kept, why);
        }
        PreparedStatementSetter parameters = Parameters.of(
                lease.record(),
                RecordRow.number(state),
                lease.knownFence(),
                lease.owner(),
                attempt.fingerprint(),
                delay,
                kept,
                why.isEmpty() ? null : why,
                AdvisoryLock.number(lease.record()));
        return jdbc.update(dialect.sql(FAILED), parameters) > 0;
    }

    /** Tries to write a failure and rolls that back; returns whether it was written. */
    public boolean tried(Request attempt) {
        boolean[] written = new boolean[1];
        database.rolledBack(jdbc -> written[0] = failed(jdbc, attempt, RecordState.FAILED, Duration.ZERO, ""));
        return written[0];
    }

    /**
     * Makes the record that of an attempt which another store has granted, so that it can remember steps, and shuts attempts with
     * smaller fences out; returns the steps so far. Empty if another attempt has the record, or has done the work.
     */
    public Optional<RememberedSteps> begun(Lease lease) {
        return unlessTaken(jdbc -> dialect.claimLocks() ? begun(jdbc, lease) : records.begun(jdbc, lease))
                .flatMap(Function.identity());
    }

    private Optional<RememberedSteps> begun(JdbcTemplate jdbc, Lease lease) {
        RecordId record = lease.record();
        PreparedStatementSetter parameters = Parameters.of(
                record, lease.fence(), lease.owner(), lease.retention(), AdvisoryLock.number(record));
        return jdbc
                .query(
                        dialect.sql(BEGUN),
                        parameters,
                        (row, number) -> StepColumn.remembered(StepColumn.read(record, row.getString(1))))
                .stream()
                .findFirst();
    }

    /** Runs statements; empty if another transaction has the record. */
    private <T> Optional<T> unlessTaken(Function<JdbcTemplate, T> statements) {
        try {
            return Optional.of(dialect.claimLocks() ? database.runAlone(statements) : database.run(statements));
        } catch (DuplicateKeyException another) {
            return Optional.empty();
        } catch (DataAccessException failure) {
            if (ClaimFailure.of(failure, true) == ClaimFailure.ROW_LOCKED) {
                return Optional.empty();
            }
            throw failure;
        }
    }
}
