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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCallback;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

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

    /** The time after which an insert on MySQL may have waited. */
    private static final long WAITED = Duration.ofMillis(5).toNanos();

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
        long start = System.nanoTime();
        int inserted = claimed(dialect.claim(), request, statement -> new Parameters(statement)
                .add(request.record())
                .add(request.lease().knownFence())
                .add(request.lease().owner().toBytes())
                .add(request.fingerprint())
                .add(request.lease().retention()));
        if (inserted > 0 && claimsWait() && System.nanoTime() - start > WAITED) {
            // The clock was read before the wait, and others may have had the record meanwhile.
            int unused = jdbc.update(
                    dialect.sql(LATER_FENCE), statement -> new Parameters(statement).add(request.record()));
        }
        return inserted > 0;
    }

    /** Makes a failed row that of done work, if it is still as it was seen. */
    boolean claimAgain(Request request, long fence, int attempts) {
        return claimed(dialect.claimAgain(), request, statement -> new Parameters(statement)
                        .add(request.lease().knownFence())
                        .add(request.lease().owner().toBytes())
                        .add(request.fingerprint())
                        .add(request.lease().retention())
                        .add(request.record())
                        .add(fence)
                        .add(attempts))
                > 0;
    }

    private int claimed(String sql, Request request, Bound parameters) {
        PreparedStatementSetter setter = statement -> {
            Parameters bound = parameters.to(statement);
            if (dialect.claimLocks()) {
                // Waits only for a transaction that deletes the row.
                statement.setQueryTimeout(Math.toIntExact(
                        Math.max(1, request.lease().duration().plusMillis(999).toSeconds())));
                Parameters unused = bound.add(AdvisoryLock.number(request.record()));
            } else if (claimsWait()) {
                statement.setQueryTimeout(LONGEST_SECONDS);
            }
        };
        try {
            return jdbc.update(sql, setter);
        } catch (DuplicateKeyException committed) {
            return 0;
        }
    }

    /** Reads the row apart from any transaction, so that a claim of the caller is not seen. */
    Optional<Found> look(RecordId record) {
        return database.runAlone(apart -> found(apart, dialect.look(), record));
    }

    /** Reads the row in the transaction. */
    Optional<Found> lookInside(RecordId record) {
        return found(jdbc, dialect.look(), record);
    }

    private static Optional<Found> found(JdbcTemplate with, String sql, RecordId record) {
        return with
                .query(
                        sql,
                        (row, number) -> Found.read(row),
                        record.key().id(),
                        record.scope().name())
                .stream()
                .findFirst();
    }

    /** Reads the row and rolls the transaction back, which PostgreSQL does in one round trip. */
    Optional<Found> lookAndRollBack(InboxTransaction transaction) {
        if (!dialect.claimLocks()) {
            transaction.rollBack();
            return look(transaction.record());
        }
        PreparedStatementCallback<Optional<Found>> read = statement -> {
            Parameters unused = new Parameters(statement).add(transaction.record());
            boolean unusedKind = statement.execute();
            try (ResultSet row = statement.getResultSet()) {
                return row.next() ? Optional.of(Found.read(row)) : Optional.empty();
            }
        };
        Optional<Found> found = transaction.rollingBackOnFailure(
                () -> Objects.requireNonNull(jdbc.execute(dialect.look() + "; ROLLBACK", read)));
        transaction.rollBack();
        return found;
    }

    /**
     * Reads the row as it is once no other transaction has the record; empty if one has. In a transaction of its own.
     *
     * @return empty inside if there is no row
     */
    Optional<Optional<Found>> unlessOpen(RecordId record) {
        try {
            return database.run(apart -> {
                boolean free = dialect.tryLock().isEmpty()
                        || Boolean.TRUE.equals(apart.queryForObject(
                                dialect.tryLock(), Boolean.class, AdvisoryLock.number(record)));
                return free ? Optional.of(found(apart, dialect.look() + " FOR UPDATE NOWAIT", record)) : Optional.empty();
            });
        } catch (DataAccessException failure) {
            if (ClaimFailure.of(failure, true) == ClaimFailure.ROW_LOCKED) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    /** Ends a lease that has ended without a word of its owner, or forgets what has expired; commits by itself. */
    void lapse(RecordId record, boolean failures) {
        int unused = database.runAlone(apart -> apart.update(dialect.lapse(), statement -> {
            if (claimsWait()) {
                statement.setQueryTimeout(LONGEST_SECONDS);
            }
            Parameters parameters = new Parameters(statement).add(record).add(failures ? 1 : 0);
            if (dialect.claimLocks()) {
                Parameters unusedToo = parameters.add(AdvisoryLock.number(record));
            }
        }));
    }

    /**
     * Returns whether a transaction under a lease begins with a statement: on PostgreSQL where it sees the database as it was at its first
     * statement, so that a renewal would roll it back; elsewhere to tell whether the database has rolled it back.
     */
    boolean locksUnderLease() {
        return !dialect.claimLocks() || !database.readsCommitted();
    }

    /**
     * Begins a transaction under a lease. On PostgreSQL the lease is not renewed until it has ended.
     *
     * @return false if another transaction has the lock
     */
    boolean lockUnderLease(RecordId record, Set<RecordId> held) {
        if (!dialect.claimLocks()) {
            jdbc.execute(SAVEPOINT);
            return true;
        }
        held.add(record);
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                held.remove(record);
            }
        });
        return Boolean.TRUE.equals(
                jdbc.queryForObject(dialect.tryLock(), Boolean.class, AdvisoryLock.number(record)));
    }

    /** Reads the fence of a claimed row. */
    long fence(Lease claimed) {
        List<Long> fences = jdbc.queryForList(
                dialect.sql("SELECT fence" + OF_OWNER),
                Long.class,
                claimed.record().key().id(),
                claimed.record().scope().name(),
                claimed.owner().toBytes());
        if (fences.isEmpty()) {
            throw new RefusedWorkException("The fence of " + claimed.record()
                    + " is read in the transaction of its work; ask for it there, on the thread of the work");
        }
        return fences.get(0);
    }

    /**
     * Writes result and messages to the claimed row.
     *
     * @throws UnexpectedRollbackException if the transaction of the row cannot be committed any more
     */
    void end(Lease lease, Effect effect) {
        requireNoFailedStatement();
        String sql = effect.again() ? dialect.endAgain() : dialect.end();
        if (jdbc.update(sql, statement -> kept(statement, lease, effect)) != 1) {
            throw rowIsGone(lease.record());
        }
    }

    /**
     * Completes the record of a lease, or leaves it to the lease if the work is to run again.
     *
     * @throws LostLeaseInTable if another attempt has the record
     */
    void complete(Lease lease, Effect effect) {
        requireNoFailedStatement();
        if (!dialect.claimLocks()) {
            requireSavepoint(lease.record());
        }
        String sql = effect.again() ? dialect.completeAgain() : dialect.complete();
        PreparedStatementSetter parameters =
                statement -> kept(statement, lease, effect).add(lease.fence());
        if (jdbc.update(sql, parameters) != 1) {
            throw new LostLeaseInTable(lease.record());
        }
    }

    private void requireSavepoint(RecordId record) {
        try {
            jdbc.execute(RELEASE);
        } catch (DataAccessException gone) {
            UnexpectedRollbackException ended = rowIsGone(record);
            ended.addSuppressed(gone);
            throw ended;
        }
    }

    private Parameters kept(PreparedStatement statement, Lease lease, Effect effect) throws SQLException {
        boolean none = effect.result().equals(StoredResult.NONE);
        boolean silent = effect.outgoing().isEmpty();
        return new Parameters(statement)
                .add(none ? null : effect.result().codec())
                .add(none ? null : effect.result().content())
                .add(silent ? null : OutgoingCodec.encode(effect.outgoing()))
                .add(silent ? null : relayAfter.orElse(null))
                .add(lease.retention())
                .add(lease.record())
                .add(lease.owner().toBytes());
    }

    /** Makes sure that the claimed row is there, without asking the database where its driver knows. */
    void requireRow(Lease lease) {
        if (Boolean.TRUE.equals(jdbc.execute((ConnectionCallback<Boolean>) ClaimStatements::isKnownToLive))) {
            return;
        }
        List<Integer> own = jdbc.queryForList(
                dialect.sql("SELECT 1" + OF_OWNER),
                Integer.class,
                lease.record().key().id(),
                lease.record().scope().name(),
                lease.owner().toBytes());
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
        PreparedStatementSetter parameters =
                statement -> new Parameters(statement).add(record).add(owner.toBytes());
        return database.runAlone(apart -> apart.update(sql, parameters)) > 0;
    }

    @FunctionalInterface
    private interface Bound {
        Parameters to(PreparedStatement statement) throws SQLException;
    }

    /** Thrown before the commit of work whose record another attempt has; rolls it back. */
    static final class LostLeaseInTable extends RuntimeException {

        LostLeaseInTable(RecordId record) {
            super("Another attempt has " + record);
        }
    }
}
