package io.idem.jdbc.inbox;

import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Inbox.Effect;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.OutgoingMessage;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.RecordRow;
import java.security.SecureRandom;
import java.sql.Connection;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.Assert;

/**
 * Tries the inbox's statements on the table, with a random key and in a transaction as that of work, which is rolled back. If
 * the table cannot roll back, the rows are deleted again.
 */
final class InboxProbe {

    /** A size above the 65,535 bytes of MariaDB's and MySQL's columns of type blob. */
    private static final int LARGE = 70_000;

    private static final int LONGEST_SCOPE = 64;
    private static final long AHEAD_OF_THE_CLOCK = 3_600_000_000L;
    private static final Duration MOST_AGE = Duration.ofMinutes(10);
    private static final Fingerprint PAYLOAD = Fingerprint.of(new byte[] {0x1D});
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final String COPY = "INSERT INTO idem_record (key_id, scope, state, attempts, grant_kind, fence, owner, at, expires_at)"
            + " SELECT ?, scope, state, attempts, grant_kind, fence, owner, at, expires_at FROM idem_record"
            + " WHERE key_id = ? AND scope = ?";
    private static final String DELETE = "DELETE FROM idem_record WHERE key_id = ? AND scope = ?";
    private static final String ROWS = "FROM idem_record WHERE key_id IN (?, ?)";

    private final InboxTransactions transactions;
    private final JdbcTemplate jdbc;
    private final InboxDialect dialect;
    private final ClaimStatements rows;
    private final IdempotencyKey key = IdempotencyKey.of("idem-probe-" + UUID.randomUUID());
    private final String otherCase = otherCase(key.id());
    private final RecordId record = new RecordId(key, new Scope("p".repeat(LONGEST_SCOPE)));

    InboxProbe(InboxTransactions transactions, ClaimStatements rows) {
        this.transactions = transactions;
        this.jdbc = rows.jdbc();
        this.dialect = rows.dialect();
        this.rows = rows;
    }

    private static String otherCase(String id) {
        String lower = id.toLowerCase(Locale.ROOT);
        return lower.equals(id) ? id.toUpperCase(Locale.ROOT) : lower;
    }

    /**
     * Runs the probe.
     *
     * @throws IllegalStateException if the table does not behave as needed; the message says how
     */
    void run() {
        try {
            boolean unused = transactions.rolledBack(record, () -> {
                tryRows();
                return true;
            });
            Assert.state(
                    count() == 0,
                    "rows stay although their transaction was rolled back. The table needs an engine with transactions"
                            + " (MariaDB, MySQL: ENGINE = InnoDB), and connections whose auto-commit is off during a transaction");
        } catch (RuntimeException failure) {
            removeAfter(failure);
            throw failure;
        }
    }

    private void tryRows() {
        // PostgreSQL, whose claim locks, has no such level and takes it for READ COMMITTED.
        Assert.state(
                dialect.claimLocks() || isolation() != Connection.TRANSACTION_READ_UNCOMMITTED,
                "transactions read rows that others have not committed, so that duplicates of unfinished work would be"
                        + " taken for done. Set the isolation of the pool to READ COMMITTED or stricter (with HikariCP:"
                        + " spring.datasource.hikari.transaction-isolation)");
        Request first = request(record, 0);
        Assert.state(rows.insert(first), "a row could not be inserted");
        long fence = rows.fence(first.lease()) + AHEAD_OF_THE_CLOCK;
        Assert.state(
                !rows.insert(request(record, fence)),
                "one key was inserted twice. The table needs PRIMARY KEY (key_id, scope), of these two columns alone");
        Assert.state(
                rows.lookInside(record).filter(found -> found.row().done()).isPresent(),
                "a row was not found again by its key. key_id must hold 22 characters and scope 64");
        Request other = request(new RecordId(key, new Scope("p")), fence);
        Assert.state(
                rows.insert(other) && rows.fence(other.lease()) == fence,
                "one key cannot have rows in two scopes, or its fence came back changed. The table needs PRIMARY KEY"
                        + " (key_id, scope), and the column fence must be a bigint");
        tryAges();
        tryContent(first.lease());
    }

    private int isolation() {
        return Objects.requireNonNull(
                jdbc.execute((ConnectionCallback<Integer>) connection -> connection.getTransactionIsolation()));
    }

    private void tryContent(Lease first) {
        Assert.state(
                jdbc.update(
                                dialect.sql(COPY),
                                otherCase,
                                key.id(),
                                record.scope().name())
                        == 1,
                "a key in other letter case could not be inserted");
        Effect large = effect();
        rows.end(first, large);
        Assert.state(
                rows.lookInside(record)
                        .filter(found -> found.row().isOf(first.owner())
                                && found.effect().equals(large))
                        .isPresent(),
                "a result and messages of " + LARGE
                        + " bytes came back changed. MariaDB and MySQL need columns of type longblob");
        Assert.state(
                jdbc.update(dialect.sql(DELETE), key.id(), record.scope().name()) == 1,
                "one row was not deleted alone");
    }

    /** Tries the statements of clean-up and rebuild, which use the age of rows. */
    private void tryAges() {
        List<Duration> ages =
                jdbc.query(dialect.younger(), (row, number) -> RecordRow.read(row).left(), key.id(), "", 2);
        Assert.state(
                ages.size() == 2 && ages.stream().allMatch(age -> age.abs().compareTo(MOST_AGE) < 0),
                "a new row is not of now. The moments of the table must be the database's clock, on MariaDB and MySQL in UTC");
    }

    private static Request request(RecordId of, long fence) {
        return new Request(new Lease(of, OwnerToken.random(new SecureRandom()), fence, 1, WAIT, WAIT), PAYLOAD);
    }

    private static Effect effect() {
        byte[] large = new byte[LARGE];
        Arrays.fill(large, (byte) 0xF1);
        return new Effect(
                StoredResult.of("probe", large), List.of(new OutgoingMessage("probe", "probe", large)), PAYLOAD);
    }

    private int count() {
        return jdbc.queryForList(dialect.sql("SELECT fence " + ROWS), Long.class, key.id(), otherCase)
                .size();
    }

    private void removeAfter(RuntimeException failure) {
        try {
            int unused = jdbc.update(dialect.sql("DELETE " + ROWS), key.id(), otherCase);
        } catch (RuntimeException second) {
            failure.addSuppressed(second);
        }
    }
}
