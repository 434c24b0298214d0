package io.idem.jdbc.inbox;

import io.idem.Inbox.Effect;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RefusedWorkException;
import io.idem.StoredResult;
import io.idem.jdbc.internal.AdvisoryLock;
import io.idem.jdbc.internal.ClaimFailure;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.OutgoingCodec;
import io.idem.jdbc.internal.OwnTransactions;
import io.idem.jdbc.internal.Parameters;
import io.idem.jdbc.internal.PostgresTransactions;
import io.idem.jdbc.internal.RecordRow;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCallback;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.transaction.UnexpectedRollbackException;

/**
 * The statements of {@link Claims}, in the transaction of the calling thread where nothing else is said. Thread-safe.
 *
 * @param jdbc takes part in the transaction of the calling thread
 * @param database runs statements apart from that
 * @param relayAfter the time after which the relay may take the messages of a row; empty if the reader of the row publishes them
 */
record ClaimStatements(
        JdbcTemplate jdbc, OwnTransactions database, InboxDialect dialect, Optional<Duration> relayAfter) {

    /** The longest wait of a claim on MySQL: one second, the shortest query timeout of JDBC. */
    private static final int LONGEST_SECONDS = 1;

    private static final String OF_RECORD = " FROM idem_record WHERE key_id = ? AND scope = ?";
    private static final String OF_OWNER = OF_RECORD + " AND owner = ?";

    /** Tells at its release whether the transaction is still that in which it was set. */
    private static final String SAVEPOINT = "SAVEPOINT idem_lease";

    private static final String RELEASE = "RELEASE SAVEPOINT idem_lease";
    private static final String LATER_FENCE = "UPDATE idem_record SET fence = greatest(fence,"
            + " timestampdiff(MICROSECOND, '1970-01-01', utc_timestamp(6))) WHERE key_id = ? AND scope = ?";

    /** A row that was found, with its effect. */
    record Found(RecordRow row, Effect effect) {

        static Found read(ResultSet columns) throws SQLException {
            RecordRow row = RecordRow.read(columns);
            return new Found(row, row.effect(columns));
        }
    }

    /** Returns whether a claim waits, for about a second, for another transaction that has inserted the row. */
    boolean claimsWait() {
        return dialect.claimWaits();
    }

    /** Inserts the row of done work; returns false if there is one, or another transaction has the record. */
    boolean insert(Request request) {
        Lease lease = request.lease();
        return claimed(
                dialect.claim(),
                lease,
                request.record(),
                lease.knownFence(),
                lease.owner(),
                request.fingerprint(),
                lease.retention());
    }

    /** Makes a failed row that of done work, if it is still as it was seen. */
    boolean claimAgain(Request request, long fence, int attempts) {
        Lease lease = request.lease();
        return claimed(
                dialect.claimAgain(),
                lease,
                lease.knownFence(),
                lease.owner(),
                request.fingerprint(),
                lease.retention(),
                request.record(),
                fence,
                attempts);
    }

    private boolean claimed(String sql, Lease lease, Object... values) {
        // PostgreSQL waits only for a transaction that deletes the row.
        int seconds = dialect.claimLocks()
                ? Math.toIntExact(Math.max(1, lease.duration().plusMillis(999).toSeconds()))
                : claimsWait() ? LONGEST_SECONDS : 0;
        try {
            return jdbc.update(sql, locking(seconds, lease.record(), values)) > 0;
        } catch (DuplicateKeyException committed) {
            return false;
        }
    }

    /** Binds values, and behind them the number of the lock where claims lock. */
    private PreparedStatementSetter locking(int seconds, RecordId record, Object... values) {
        return statement -> {
            if (seconds > 0) {
                statement.setQueryTimeout(seconds);
            }
            int last = Parameters.bind(statement, values);
            if (dialect.claimLocks()) {
                statement.setLong(last + 1, AdvisoryLock.number(record));
            }
        };
    }

    /** Reads the row apart from any transaction, so that a claim of the caller is not seen. */
    Optional<Found> look(RecordId record) {
        return database.runAlone(apart -> found(apart, dialect.look(), record));
    }

    /** Reads the row in the transaction. */
    Optional<Found> lookInside(RecordId record) {
        return found(jdbc, dialect.look(), record);
    }

    /** Reads the row; statements behind a semicolon are sent with it, where the database can. */
    private static Optional<Found> found(JdbcTemplate with, String sql, RecordId record) {
        PreparedStatementCallback<Optional<Found>> read = statement -> {
            int unused = Parameters.bind(statement, record);
            boolean unusedKind = statement.execute();
            try (ResultSet row = statement.getResultSet()) {
                return row.next() ? Optional.of(Found.read(row)) : Optional.empty();
            }
        };
        return Objects.requireNonNull(with.execute(sql, read));
    }

    /** Reads the row and rolls the transaction back, which PostgreSQL does in one round trip. */
    Optional<Found> lookAndRollBack(InboxTransaction transaction) {
        if (!dialect.claimLocks()) {
            transaction.rollBack();
            return look(transaction.record());
        }
        Optional<Found> found = transaction.rollingBackOnFailure(
                () -> found(jdbc, dialect.look() + "; ROLLBACK", transaction.record()));
        transaction.rollBack();
        return found;
    }

    /**
     * Reads the row as it is once no other transaction has the record; empty if one has. In a transaction of its own.
     *
     * @return empty inside if there is no row
     */
    Optional<Optional<Found>> unlessOpen(RecordId record) {
        return locked(record, apart -> found(apart, dialect.look() + " FOR UPDATE NOWAIT", record));
    }

    /** Takes a lease that has ended from its owner, who cannot commit any more; false if the record has changed, or is taken. */
    boolean disown(RecordId record, long fence) {
        String ended = dialect.sql("SELECT owner" + OF_RECORD + " AND state = 1 AND fence = ? FOR UPDATE NOWAIT");
        String none = dialect.sql("UPDATE idem_record SET owner = NULL WHERE key_id = ? AND scope = ?");
        RowMapper<Boolean> any = (row, number) -> true;
        return locked(
                        record,
                        apart -> !apart.query(ended, Parameters.of(record, fence), any)
                                        .isEmpty()
                                && apart.update(none, Parameters.of(record)) > 0)
                .orElse(false);
    }

    /** Runs statements in a transaction of their own; empty if another one has the record. */
    private <T> Optional<T> locked(RecordId record, Function<JdbcTemplate, T> statements) {
        try {
            return database.run(apart -> dialect.tryLock().isEmpty() || lock(apart, record)
                    ? Optional.of(statements.apply(apart))
                    : Optional.empty());
        } catch (DataAccessException failure) {
            if (ClaimFailure.of(failure, true) == ClaimFailure.ROW_LOCKED) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    private boolean lock(JdbcTemplate with, RecordId record) {
        return Boolean.TRUE.equals(
                with.queryForObject(dialect.tryLock(), Boolean.class, AdvisoryLock.number(record)));
    }

    /** Ends a lease that has ended without a word of its owner, or forgets what has expired; commits by itself. */
    void lapse(RecordId record, boolean failures) {
        PreparedStatementSetter parameters = locking(claimsWait() ? LONGEST_SECONDS : 0, record, record, failures ? 1 : 0);
        int unused = database.runAlone(apart -> apart.update(dialect.lapse(), parameters));
    }

    /** Returns whether a lease must not be renewed while the transaction of its work is open, which the renewal would roll back. */
    boolean holdsLeases() {
        return database.refusesChangedRows();
    }

    /** Takes the lock of a record until the end of the transaction, where there is one; returns false if another transaction has it. */
    boolean lock(RecordId record) {
        return !dialect.claimLocks() || lock(jdbc, record);
    }

    /** Returns whether the transaction of work under a lease is marked: on PostgreSQL with the look at the record, which a first attempt saves. */
    boolean marks(boolean looks) {
        return looks || !dialect.claimLocks();
    }

    /** Marks the transaction, so that {@link #complete} notices if it has ended, and looks at the record. */
    Optional<Found> mark(RecordId record, boolean looks) {
        if (dialect.claimLocks()) {
            return looks ? found(jdbc, dialect.look() + "; " + SAVEPOINT, record) : Optional.empty();
        }
        jdbc.execute(SAVEPOINT);
        return looks ? lookInside(record) : Optional.empty();
    }

    /** Reads the fence of a claimed row. MySQL takes it from the clock first: others may have had the record while the claim waited. */
    long fence(Lease claimed) {
        if (claimsWait()) {
            int unused = jdbc.update(dialect.sql(LATER_FENCE), Parameters.of(claimed.record()));
        }
        List<Long> fences = jdbc.query(
                dialect.sql("SELECT fence" + OF_OWNER),
                Parameters.of(claimed.record(), claimed.owner()),
                (row, number) -> row.getLong(1));
        if (fences.isEmpty()) {
            throw new RefusedWorkException("The fence of " + claimed.record()
                    + " is read in the transaction of its work; ask for it there, on the thread of the work");
        }
        return fences.get(0);
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
            complete(mine.lease(), effect, mine.marked());
        } else if (effect.result().equals(StoredResult.NONE) && effect.outgoing().isEmpty()) {
            requireRow(mine.lease());
        } else {
            end(mine.lease(), effect);
        }
    }

    /**
     * Writes result and messages to the claimed row.
     *
     * @throws UnexpectedRollbackException if the transaction of the row cannot be committed any more
     */
    void end(Lease lease, Effect effect) {
        requireNoFailedStatement();
        String sql = effect.again() ? dialect.endAgain() : dialect.end();
        if (jdbc.update(sql, kept(lease, effect)) != 1) {
            throw rowIsGone(lease.record());
        }
    }

    /** Completes the record of a lease, or leaves it to the lease if the work is to run again. */
    private void complete(Lease lease, Effect effect, boolean marked) {
        requireNoFailedStatement();
        String sql = effect.again() ? dialect.completeAgain() : dialect.complete();
        boolean together = marked && dialect.claimLocks();
        PreparedStatementSetter parameters = kept(lease, effect, lease.fence());
        try {
            if (marked && !together) {
                jdbc.execute(RELEASE);
            }
            if (jdbc.update(together ? sql + "; " + RELEASE : sql, parameters) != 1) {
                throw new LostLeaseInTable(lease.record());
            }
        } catch (DataAccessException failure) {
            if (!ClaimFailure.isLostSavepoint(failure)) {
                throw failure;
            }
            UnexpectedRollbackException ended = rowIsGone(lease.record());
            ended.addSuppressed(failure);
            throw ended;
        }
    }

    private PreparedStatementSetter kept(Lease lease, Effect effect, Object... more) {
        boolean none = effect.result().equals(StoredResult.NONE);
        boolean silent = effect.outgoing().isEmpty();
        return Parameters.of(
                none ? null : effect.result().codec(),
                none ? null : effect.result().content(),
                silent ? null : OutgoingCodec.encode(effect.outgoing()),
                silent ? null : relayAfter.orElse(null),
                lease.retention(),
                lease.record(),
                lease.owner(),
                more);
    }

    /** Makes sure that the claimed row is there, without asking the database where its driver knows. */
    private void requireRow(Lease lease) {
        if (Boolean.TRUE.equals(jdbc.execute((ConnectionCallback<Boolean>) ClaimStatements::isKnownToLive))) {
            return;
        }
        List<Boolean> own = jdbc.query(
                dialect.sql("SELECT 1" + OF_OWNER),
                Parameters.of(lease.record(), lease.owner()),
                (row, number) -> true);
        if (own.isEmpty()) {
            throw rowIsGone(lease.record());
        }
    }

    private void requireNoFailedStatement() {
        Boolean unused = jdbc.execute((ConnectionCallback<Boolean>) ClaimStatements::isKnownToLive);
    }

    private static boolean isKnownToLive(Connection connection) throws SQLException {
        if (!PostgresTransactions.knows(connection)) {
            return false;
        }
        if (PostgresTransactions.hasFailed(connection)) {
            throw new UnexpectedRollbackException("The work caught the failure of a statement, after which PostgreSQL"
                    + " commits nothing of its transaction; all of it is rolled back. Let the exception leave the work,"
                    + " or run that statement in a nested transaction");
        }
        return PostgresTransactions.isMarked(connection);
    }

    private static UnexpectedRollbackException rowIsGone(RecordId record) {
        return new UnexpectedRollbackException("The inbox row of " + record
                + " is gone before its commit. Either the database ended the transaction at a deadlock whose exception the"
                + " work caught, or the work rolled back by itself, or it removed or changed the row. What the work wrote"
                + " since is rolled back. Let such exceptions leave the work, leave the transaction to idem, and"
                + " idem_record too");
    }

    /** Removes messages of an attempt whose work runs again, once they have left; returns whether there were any. */
    boolean forgetAgain(RecordId record, OwnerToken owner) {
        String sql = dialect.sql("UPDATE idem_record SET result_codec = NULL, result = NULL, outgoing = NULL"
                + " WHERE key_id = ? AND scope = ? AND owner = ? AND result_codec = '" + StoredResult.AGAIN.codec()
                + "' AND relay_at IS NULL");
        return database.runAlone(apart -> apart.update(sql, Parameters.of(record, owner))) > 0;
    }

    /** Thrown before the commit of work whose record another attempt has; rolls it back. */
    static final class LostLeaseInTable extends RuntimeException {

        LostLeaseInTable(RecordId record) {
            super("Another attempt has " + record);
        }
    }
}
