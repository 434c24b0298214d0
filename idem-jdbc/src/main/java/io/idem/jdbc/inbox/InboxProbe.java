package io.idem.jdbc.inbox;

import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Inbox.Effect;
import io.idem.Lease;
import io.idem.OutgoingMessage;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.InboxRows;
import java.security.SecureRandom;
import java.sql.Connection;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
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
    private static final String COPY = "INSERT INTO idem_inbox (key_id, scope, fence, owner)"
            + " SELECT ?, scope, fence, owner FROM idem_inbox WHERE key_id = ? AND scope = ?";
    private static final String DELETE = "DELETE FROM idem_inbox WHERE key_id = ? AND scope = ?";
    private static final String ROWS = "FROM idem_inbox WHERE key_id IN (?, ?)";

    private final InboxTransactions transactions;
    private final JdbcTemplate jdbc;
    private final InboxDialect dialect;
    private final InboxRows rows;
    private final IdempotencyKey key = IdempotencyKey.of("idem-probe-" + UUID.randomUUID());
    private final String otherCase = otherCase(key.id());
    private final RecordId record = new RecordId(key, new Scope("p".repeat(LONGEST_SCOPE)));

    InboxProbe(InboxTransactions transactions, JdbcTemplate jdbc, InboxDialect dialect) {
        this.transactions = transactions;
        this.jdbc = jdbc;
        this.dialect = dialect;
        this.rows = new InboxRows(jdbc, dialect);
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
                            + " (MariaDB, MySQL: ENGINE = InnoDB)");
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
        Lease first = claim(record, 0).orElseThrow(() -> new IllegalStateException("a row could not be inserted"));
        long fence = first.fence() + AHEAD_OF_THE_CLOCK;
        Assert.state(
                claim(record, fence).isEmpty(),
                "one key was inserted twice. The table needs PRIMARY KEY (key_id, scope), of these two columns alone");
        Assert.state(
                rows.find(record).isPresent(),
                "a row was not found again by its key. key_id must hold 22 characters and scope 64");
        Assert.state(
                claim(new RecordId(key, new Scope("p")), fence)
                        .filter(claimed -> claimed.fence() == fence)
                        .isPresent(),
                "one key cannot have rows in two scopes, or its fence came back changed. The table needs PRIMARY KEY"
                        + " (key_id, scope), and the column fence must be a bigint");
        tryAges();
        tryContent(first);
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
        rows.record(first, large);
        Assert.state(
                rows.find(record)
                        .filter(row -> row.writtenUnder(first) && row.effect().equals(large))
                        .isPresent(),
                "a result and messages of " + LARGE
                        + " bytes came back changed. MariaDB and MySQL need columns of type longblob");
        Assert.state(
                jdbc.update(dialect.sql(DELETE), key.id(), record.scope().name()) == 1,
                "one row was not deleted alone");
    }

    /** Tries the statements of clean-up and rebuild, which use the age of rows. */
    private void tryAges() {
        List<Long> ages = jdbc.query(
                dialect.younger(),
                (row, number) -> row.getLong("age_millis"),
                2 * MOST_AGE.toSeconds(),
                key.id(),
                "",
                2);
        Assert.state(
                ages.size() == 2 && ages.stream().allMatch(age -> Math.abs(age) < MOST_AGE.toMillis()),
                "a new row is not of now. claimed_at needs the database's clock as its default, on MariaDB and MySQL in UTC");
    }

    private Optional<Lease> claim(RecordId claimed, long fence) {
        Lease lease = new Lease(claimed, OwnerToken.random(new SecureRandom()), fence, 1, WAIT, WAIT);
        return rows.claim(new Inbox.Request(lease, PAYLOAD), WAIT);
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
