package io.idem.jdbc.internal;

import io.idem.Fingerprint;
import io.idem.Inbox.Effect;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.OutgoingMessage;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.StoredResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.transaction.UnexpectedRollbackException;

/** The statements on the table, which take part in the transaction of the calling thread. */
public final class InboxRows {

    private static final String FIND =
            "SELECT owner, result_codec, result, outgoing, relay_at, fingerprint FROM idem_inbox WHERE key_id = ? AND scope = ?";
    private static final String REMOVE = "DELETE FROM idem_inbox WHERE key_id = ? AND scope = ? AND owner = ?"
            + " AND result_codec = '" + StoredResult.AGAIN.codec() + "' AND relay_at IS NULL";

    private final JdbcTemplate jdbc;
    private final InboxDialect dialect;
    private final Optional<Duration> relayAfter;
    private final String record;
    private final String own;
    private final WaitingClaim waitingClaim;

    /** Creates the statements for rows whose reader publishes their messages. */
    public InboxRows(JdbcTemplate jdbc, InboxDialect dialect) {
        this(jdbc, dialect, Optional.empty());
    }

    /**
     * Creates the statements for the transactions in which {@code jdbc} takes part.
     *
     * @param relayAfter the time after which the relay may take the messages of a row; empty if the reader of the row
     *     publishes them
     */
    public InboxRows(JdbcTemplate jdbc, InboxDialect dialect, Optional<Duration> relayAfter) {
        this.jdbc = jdbc;
        this.dialect = dialect;
        this.relayAfter = relayAfter;
        this.waitingClaim = new WaitingClaim(jdbc, dialect);
        this.own = dialect.sql("SELECT 1 FROM idem_inbox WHERE key_id = ? AND scope = ? AND owner = ?");
        this.record = dialect.sql("UPDATE idem_inbox SET result_codec = ?, result = ?, outgoing = ?, relay_at = "
                + dialect.later() + " WHERE key_id = ? AND scope = ? AND owner = ?");
    }

    /** Returns the statements on the failures of these rows, in the same transactions. */
    public FailureRows failures() {
        return new FailureRows(jdbc, dialect, this);
    }

    /** Returns whether a claim waits, for about a second, for another transaction that has inserted the row. */
    public boolean claimWaits() {
        return !dialect.fence().isEmpty();
    }

    /**
     * Inserts the row. Unless {@linkplain #claimWaits claims wait}, waits for another transaction that has inserted it
     * only if that is of the earlier version, which takes no lock.
     *
     * @param longestWait the longest wait, in whole seconds, rounded up
     * @return the lease with the fence of the row; empty if another transaction has committed a row, or has the lock
     */
    public Optional<Lease> claim(Request request, Duration longestWait) {
        PreparedStatementSetter parameters = statement -> {
            Parameters unused = bindClaim(statement, request, longestWait);
        };
        Optional<Long> fence =
                claimWaits() ? waitingClaim.fence(parameters, request.record()) : returnedFence(parameters);
        return fence.map(
                number -> claimed(request.lease(), number, request.lease().attempt()));
    }

    private Optional<Long> returnedFence(PreparedStatementSetter parameters) {
        return jdbc.query(dialect.claim(), parameters, (row, number) -> row.getLong("fence")).stream()
                .findFirst();
    }

    Parameters bindClaim(PreparedStatement statement, Request request, Duration longestWait) throws SQLException {
        Parameters parameters = new Parameters(statement)
                .add(request.record())
                .add(request.lease().fence())
                .add(request.lease().owner().toBytes())
                .add(stored(request.fingerprint()));
        if (claimWaits()) {
            statement.setQueryTimeout(WaitingClaim.LONGEST_SECONDS);
        }
        if (dialect.claimLocks()) {
            statement.setQueryTimeout(wholeSeconds(longestWait));
            parameters.add(AdvisoryLock.number(request.record()));
        }
        return parameters;
    }

    static Lease claimed(Lease lease, long fence, int attempt) {
        return new Lease(lease.record(), lease.owner(), fence, attempt, lease.duration(), lease.retention());
    }

    private static int wholeSeconds(Duration duration) {
        return Math.toIntExact(Math.max(1, duration.plusMillis(999).toSeconds()));
    }

    /**
     * Writes result and messages to the row of this owner. A row without either stays as it was inserted, and is looked
     * for unless its transaction is known to be open: that may have ended when a statement failed whose exception the work
     * caught, or by a statement of the work.
     *
     * @throws UnexpectedRollbackException if the transaction of the row cannot be committed any more
     */
    public void record(Lease lease, Effect effect) {
        former(lease.record()).ifPresent(before -> writeFormer(of(lease, before), effect));
        write(lease, effect);
    }

    /** Writes the row of the key as earlier versions read it. They would take a row of work that runs again for its end. */
    private void writeFormer(Lease lease, Effect effect) {
        List<OutgoingMessage> unlessRelayed = relayAfter.isEmpty() ? effect.outgoing() : List.of();
        write(lease, new Effect(effect.result(), unlessRelayed, effect.fingerprint()));
        boolean unused = effect.again() && remove(lease.record(), lease.owner());
    }

    /** Returns the record of the key as earlier versions read it; empty if they read it alike. */
    public static Optional<RecordId> former(RecordId record) {
        return Optional.of(new RecordId(record.key().former(), record.scope()))
                .filter(before -> !before.equals(record));
    }

    /** Returns the lease of an attempt for another record. */
    public static Lease of(Lease lease, RecordId record) {
        return new Lease(record, lease.owner(), lease.fence(), lease.attempt(), lease.duration(), lease.retention());
    }

    private void write(Lease lease, Effect effect) {
        RecordId record = lease.record();
        if (effect.result().equals(StoredResult.NONE) && effect.outgoing().isEmpty()) {
            requireRow(lease);
            return;
        }
        int updated = jdbc.update(
                this.record,
                effect.result().codec(),
                effect.result().content(),
                OutgoingCodec.encode(effect.outgoing()),
                secondsUntilRelay(effect),
                record.key().id(),
                record.scope().name(),
                lease.owner().toBytes());
        if (updated != 1) {
            throw rowIsGone(record);
        }
    }

    /**
     * Removes the row of an attempt if its work runs again and no relay is to send its messages; returns whether there
     * was one.
     */
    public boolean remove(RecordId of, OwnerToken owner) {
        String remove = dialect.sql(REMOVE);
        return jdbc.update(remove, of.key().id(), of.scope().name(), owner.toBytes()) > 0;
    }

    private void requireRow(Lease lease) {
        RecordId record = lease.record();
        if (Boolean.TRUE.equals(jdbc.execute((ConnectionCallback<Boolean>) connection -> isKnownToLive(connection)))) {
            return;
        }
        if (jdbc.queryForList(
                        own,
                        Integer.class,
                        record.key().id(),
                        record.scope().name(),
                        lease.owner().toBytes())
                .isEmpty()) {
            throw rowIsGone(record);
        }
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
                + " idem_inbox too");
    }

    /** Returns the bytes of a fingerprint; empty if it is not known, as in rows of versions that kept none. */
    public static byte[] stored(Fingerprint fingerprint) {
        return fingerprint.isNone() ? new byte[0] : fingerprint.toBytes();
    }

    public static Fingerprint fingerprint(ResultSet row) throws SQLException {
        byte[] stored = row.getBytes("fingerprint");
        return stored.length == 0 ? Fingerprint.NONE : Fingerprint.ofBytes(stored);
    }

    private @Nullable Long secondsUntilRelay(Effect effect) {
        return effect.outgoing().isEmpty()
                ? null
                : relayAfter.map(Duration::toSeconds).orElse(null);
    }

    public Optional<InboxRow> find(RecordId record) {
        return find(record, jdbc.getQueryTimeout());
    }

    /**
     * Reads a row in at most a second: in a pool with auto-commit off and the isolation level SERIALIZABLE, MariaDB and MySQL
     * wait for the lock of the row.
     */
    public Optional<InboxRow> findBeforeLong(RecordId record) {
        return find(record, WaitingClaim.LONGEST_SECONDS);
    }

    private Optional<InboxRow> find(RecordId record, int timeout) {
        PreparedStatementSetter parameters = statement -> {
            if (timeout > 0) {
                statement.setQueryTimeout(timeout);
            }
            Parameters unused = new Parameters(statement).add(record);
        };
        return jdbc.query(dialect.sql(FIND), parameters, (row, number) -> read(row)).stream()
                .findFirst();
    }

    /** Reads the committed row of a record, also under the key as earlier versions read it. */
    public Optional<InboxRow> findUnderEitherKey(RecordId record) {
        return find(record).or(() -> former(record).flatMap(this::find));
    }

    private static InboxRow read(ResultSet row) throws SQLException {
        return new InboxRow(
                HexFormat.of().formatHex(row.getBytes("owner")),
                new Effect(result(row), outgoing(row), fingerprint(row)));
    }

    /** Reads the messages that the reader of the row must publish, which are none if a relay sends them. */
    private static List<OutgoingMessage> outgoing(ResultSet row) throws SQLException {
        return row.getObject("relay_at") == null ? OutgoingCodec.decode(row.getBytes("outgoing")) : List.of();
    }

    public static StoredResult result(ResultSet row) throws SQLException {
        String codec = row.getString("result_codec");
        return codec.isEmpty() ? StoredResult.NONE : StoredResult.of(codec, row.getBytes("result"));
    }
}
