package io.idem.jdbc.internal;

import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RememberedSteps.RememberedStep;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.ArgumentPreparedStatementSetter;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementSetter;

/**
 * The statements on attempts whose transaction is the last phase of their work, in the transaction in which {@code jdbc} takes part.
 * Thread-safe.
 */
public final class AttemptRows {

    /** The owner of a lapsed lease that is still to be taken over. */
    public static final OwnerToken NOBODY = OwnerToken.ofBytes(new byte[OwnerToken.SIZE]);

    /** The longest wait for a lock that another session holds for a moment. */
    private static final int LONGEST_SECONDS = 3;

    private static final String LOCK = " FOR UPDATE";
    private static final String LOCK_AT_ONCE = " FOR UPDATE NOWAIT";

    private final JdbcTemplate jdbc;
    private final AttemptStatements statements;

    public AttemptRows(JdbcTemplate jdbc, InboxDialect dialect) {
        this.jdbc = jdbc;
        this.statements = dialect.attempts();
    }

    /** Reads the row of a record. */
    public Optional<AttemptRow> find(RecordId record) {
        return read(record, "");
    }

    /** Makes the row of a record unless there is one; returns whether it was made. */
    public boolean insert(RecordId record, long fence) {
        return update(statements.insert(), key(record), scope(record), fence) > 0;
    }

    /** Reads and locks the row of a record, which is made if there is none. Waits for at most three seconds. */
    public AttemptRow lock(RecordId record) {
        return read(record, LOCK).orElseGet(() -> {
            boolean unused = insert(record, 0);
            return read(record, LOCK).orElseThrow(() -> vanished(record));
        });
    }

    private static PessimisticLockingFailureException vanished(RecordId record) {
        return new PessimisticLockingFailureException(
                "The row of the attempts at " + record + " was removed meanwhile");
    }

    /** Reads and locks the row of a record, if there is one. Fails if another session has locked it. */
    public Optional<AttemptRow> lockAtOnce(RecordId record) {
        return read(record, LOCK_AT_ONCE);
    }

    private Optional<AttemptRow> read(RecordId record, String how) {
        PreparedStatementSetter parameters = statement -> {
            if (!how.isEmpty()) {
                statement.setQueryTimeout(LONGEST_SECONDS);
            }
            Parameters unused = new Parameters(statement).add(record);
        };
        return jdbc.query(statements.read() + how, parameters, (row, number) -> read(record, row)).stream()
                .findFirst();
    }

    private static AttemptRow read(RecordId record, ResultSet row) throws SQLException {
        return new AttemptRow(
                row.getLong("fence"),
                StepColumn.read(record, row.getString("steps")),
                HexFormat.of().formatHex(row.getBytes("owner")),
                row.getInt("lapsed"),
                InboxRows.fingerprint(row),
                Duration.of(row.getLong("rest_micros"), ChronoUnit.MICROS),
                row.getLong("now_micros"));
    }

    /** Shuts attempts with a smaller fence out. */
    public void raise(RecordId record, long fence) {
        int unused = update(statements.raise(), fence, key(record), scope(record));
    }

    /** Writes the lease of a new owner to the row. */
    public void lease(Lease lease, int lapsed, Fingerprint fingerprint) {
        int unused = update(
                statements.lease(),
                lease.fence(),
                lease.owner().toBytes(),
                lapsed,
                InboxRows.stored(fingerprint),
                micros(lease.duration()),
                key(lease.record()),
                scope(lease.record()));
    }

    /** Renews a lease; returns whether it is still that of its owner. */
    public boolean renew(Lease lease) {
        return update(
                        statements.renew(),
                        micros(lease.duration()),
                        key(lease.record()),
                        scope(lease.record()),
                        lease.fence(),
                        lease.owner().toBytes())
                > 0;
    }

    /** Ends a lease whose attempt has failed. */
    public void release(Lease lease) {
        int unused = update(statements.release(), key(lease.record()), scope(lease.record()), lease.fence());
    }

    /** Adds a step unless it is there; returns whether the attempt may, because none with a greater fence has read the steps. */
    public boolean remember(Lease lease, RememberedStep step) {
        return update(
                        statements.remember(),
                        StepColumn.name(step),
                        StepColumn.value(step),
                        key(lease.record()),
                        scope(lease.record()),
                        lease.fence())
                > 0;
    }

    /** Replaces all steps of a record by others. */
    public void replace(RecordId record, List<RememberedStep> steps) {
        int unused = update(statements.replace(), StepColumn.write(steps), key(record), scope(record));
    }

    /** Forgets how many leases have lapsed, and whose the last was, unless it lasts; returns whether the row has that fence. */
    public boolean reopen(RecordId record, long fence) {
        return update(statements.reopen(), NOBODY.toBytes(), key(record), scope(record), fence) > 0;
    }

    /**
     * Removes the row if the attempt may, because none with a greater fence has read the steps. Looks first where the removal of
     * a row that is not there would lock the gap in which others insert theirs.
     *
     * @return the steps of the row; empty if the attempt may not
     */
    public Optional<List<RememberedStep>> forget(Lease lease) {
        RecordId record = lease.record();
        String tell = statements.forgetAndTell();
        if (!tell.isEmpty()) {
            PreparedStatementSetter parameters =
                    inAMoment(key(record), scope(record), lease.fence(), key(record), scope(record));
            return jdbc.query(tell, parameters, (row, number) -> StepColumn.read(record, row.getString(1))).stream()
                    .findFirst();
        }
        Optional<AttemptRow> row = find(record);
        boolean mayNot = row.isPresent()
                && (row.get().fence() > lease.fence()
                        || update(statements.forget(), key(record), scope(record), lease.fence()) == 0);
        return mayNot
                ? Optional.empty()
                : Optional.of(row.map(AttemptRow::steps).orElse(List.of()));
    }

    /** Writes the steps back that an attempt has removed, for the attempt that follows it. */
    public void bringBack(Lease lease, List<RememberedStep> steps) {
        boolean unused = insert(lease.record(), lease.fence());
        replace(lease.record(), steps);
    }

    /** Removes the row of a record that an operator has completed. */
    public void remove(RecordId record) {
        if (find(record).isPresent()) {
            int unused = update(statements.forget(), key(record), scope(record), Long.MAX_VALUE);
        }
    }

    private int update(String statement, Object... parameters) {
        return jdbc.update(statement, inAMoment(parameters));
    }

    /** Returns parameters of a statement that takes at most three seconds: the row may be locked by an open transaction of the work. */
    private static PreparedStatementSetter inAMoment(Object... parameters) {
        return prepared -> {
            prepared.setQueryTimeout(LONGEST_SECONDS);
            new ArgumentPreparedStatementSetter(parameters).setValues(prepared);
        };
    }

    private static String key(RecordId record) {
        return record.key().id();
    }

    private static String scope(RecordId record) {
        return record.scope().name();
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / ChronoUnit.MICROS.getDuration().toNanos();
    }
}
