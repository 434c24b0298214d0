package io.idem.jdbc;

import io.idem.Scope;
import io.idem.spi.OutgoingMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** The relay's statements on the table of the inbox, in transactions of its own. Thread-safe. */
final class RelayRows {

    private static final Logger LOG = LoggerFactory.getLogger(RelayRows.class);
    private static final String ROW = " WHERE key_id = ? AND scope = ? AND fence = ? AND relay_at IS NOT NULL";
    private static final String SENT = "UPDATE idem_inbox SET outgoing = '', relay_at = NULL" + ROW;
    private static final String UNSENT = "SELECT count(*) FROM idem_inbox WHERE scope = ? AND relay_at IS NOT NULL";

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final String due;
    private final String postpone;

    RelayRows(DataSource dataSource) {
        InboxDialect dialect = DatabaseProduct.dialect(dataSource);
        this.jdbc = new JdbcTemplate(dataSource);
        this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        // Stricter levels of MariaDB lock what lies between the rows too, and several relays would end in a deadlock.
        this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
        this.due = dialect.due();
        this.postpone = "UPDATE idem_inbox SET relay_at = " + dialect.later() + ROW;
    }

    /**
     * Takes rows that are due, and none that another instance is taking.
     *
     * @param again when they are due once more unless they were {@linkplain #sent sent} by then
     * @return with those that this version cannot read, which have no messages
     */
    List<RelayedRow> take(Scope scope, int limit, Duration again) {
        return Objects.requireNonNull(transaction.execute(status -> {
            List<RelayedRow> rows = jdbc.query(due, (row, number) -> read(row), scope.name(), limit);
            jdbc.batchUpdate(
                    postpone,
                    rows.stream()
                            .map(row -> new Object[] {again.toSeconds(), row.keyId(), row.scope(), row.fence()})
                            .toList());
            return rows;
        }));
    }

    private static RelayedRow read(ResultSet row) throws SQLException {
        String keyId = row.getString("key_id");
        String scope = row.getString("scope");
        return new RelayedRow(keyId, scope, row.getLong("fence"), messages(keyId, row.getBytes("outgoing")));
    }

    /** One row that cannot be read must not keep the others back. */
    private static List<OutgoingMessage> messages(String keyId, byte[] outgoing) {
        try {
            return OutgoingCodec.decode(outgoing);
        } catch (IllegalStateException unreadable) {
            LOG.error("The messages of inbox row {} are not sent: {}", keyId, unreadable.getMessage());
            return List.of();
        }
    }

    /** The messages of these rows are with their brokers and are not needed any more. */
    void sent(List<RelayedRow> rows) {
        if (!rows.isEmpty()) {
            jdbc.batchUpdate(
                    SENT,
                    rows.stream()
                            .map(row -> new Object[] {row.keyId(), row.scope(), row.fence()})
                            .toList());
        }
    }

    long unsent(Scope scope) {
        return Objects.requireNonNull(jdbc.queryForObject(UNSENT, Long.class, scope.name()));
    }
}
