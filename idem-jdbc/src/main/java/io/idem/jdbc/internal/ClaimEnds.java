package io.idem.jdbc.internal;

import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.RememberedSteps;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementSetter;

/**
 * Writes to records outside of the transactions of their work that need no lease: the end of claimed work without effect, and the
 * begin of steps beside another store. Each is written unless another attempt has the record, for which nothing waits. Thread-safe;
 * blocks.
 */
public record ClaimEnds(InboxDialect dialect, OwnTransactions database) {

    /** A character that PostgreSQL's text cannot hold. */
    private static final char NUL = '\0';

    private static final char REPLACEMENT = '\ufffd';

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
        Duration kept = delay.compareTo(lease.retention()) > 0 ? delay : lease.retention();
        @Nullable String why = reason.isEmpty() ? null : reason.replace(NUL, REPLACEMENT);
        byte[] owner = lease.owner().toBytes();
        PreparedStatementSetter update = statement -> {
            Parameters unused = new Parameters(statement)
                    .add(owner)
                    .add(attempt.fingerprint())
                    .add(attempt.fingerprint())
                    .add(owner)
                    .add(lease.knownFence())
                    .add(delay)
                    .add(kept)
                    .add(why)
                    .add(RecordRow.number(state))
                    .add(attempt.record())
                    .add(lease.knownFence());
        };
        PreparedStatementSetter insert = statement -> {
            Parameters parameters = new Parameters(statement)
                    .add(attempt.record())
                    .add(RecordRow.number(state))
                    .add(lease.knownFence())
                    .add(owner)
                    .add(attempt.fingerprint())
                    .add(delay)
                    .add(kept)
                    .add(why);
            addLock(parameters, attempt.record());
        };
        return dialect.claimLocks()
                ? jdbc.update(dialect.failed().insert(), insert) > 0
                : upserted(jdbc, dialect.failed(), attempt.record(), update, insert);
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
        RecordId record = lease.record();
        byte[] owner = lease.owner().toBytes();
        PreparedStatementSetter update = statement -> {
            Parameters unused = new Parameters(statement)
                    .add(owner)
                    .add(lease.retention())
                    .add(lease.fence())
                    .add(record)
                    .add(lease.fence());
        };
        PreparedStatementSetter insert = statement -> {
            Parameters parameters = new Parameters(statement)
                    .add(record)
                    .add(lease.fence())
                    .add(owner)
                    .add(lease.retention());
            addLock(parameters, record);
        };
        return unlessTaken(jdbc -> {
                    if (dialect.claimLocks()) {
                        return jdbc.query(
                                dialect.begun().insert(),
                                insert,
                                (row, number) -> remembered(record, row.getString(1)));
                    }
                    return upserted(jdbc, dialect.begun(), record, update, insert)
                            ? jdbc.query(
                                    dialect.sql("SELECT steps FROM idem_record" + InboxDialect.OF_RECORD),
                                    (row, number) -> remembered(record, row.getString(1)),
                                    record.key().id(),
                                    record.scope().name())
                            : List.<RememberedSteps>of();
                })
                .flatMap(rows -> rows.stream().findFirst());
    }

    private static RememberedSteps remembered(RecordId record, @Nullable String column) {
        List<RememberedStep> steps = column == null ? List.of() : StepColumn.read(record, column);
        return steps.isEmpty()
                ? RememberedSteps.NONE
                : new RememberedSteps(
                        steps.stream().mapToLong(RememberedStep::fence).min().orElse(0), steps);
    }

    private void addLock(Parameters parameters, RecordId record) throws SQLException {
        if (dialect.claimLocks()) {
            Parameters unused = parameters.add(AdvisoryLock.number(record));
        }
    }

    private static boolean upserted(
            JdbcTemplate jdbc,
            InboxDialect.Upsert upsert,
            RecordId record,
            PreparedStatementSetter update,
            PreparedStatementSetter insert) {
        boolean there = !jdbc.queryForList(
                        upsert.lock(),
                        Long.class,
                        record.key().id(),
                        record.scope().name())
                .isEmpty();
        return there ? jdbc.update(upsert.update(), update) > 0 : jdbc.update(upsert.insert(), insert) > 0;
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
