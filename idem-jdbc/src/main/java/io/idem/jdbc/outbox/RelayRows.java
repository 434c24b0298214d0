package io.idem.jdbc.outbox;

import io.idem.OutgoingMessage;
import io.idem.Scope;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.OutgoingCodec;
import io.idem.jdbc.internal.OwnTransactions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.function.SingletonSupplier;

/** The relay's statements on the table of the inbox, in transactions of its own. Thread-safe. */
final class RelayRows {

    private static final Logger LOG = LoggerFactory.getLogger(RelayRows.class);
    private static final String ROW = " WHERE key_id = ? AND scope = ? AND fence = ? AND relay_at IS NOT NULL";
    private static final String SENT = "UPDATE idem_inbox SET outgoing = '', relay_at = NULL" + ROW;
    private static final String UNSENT = "SELECT count(*) FROM idem_inbox WHERE scope = ? AND relay_at IS NOT NULL";

    private final OwnTransactions database;
    private final SingletonSupplier<InboxDialect> dialect;

    /** Does not connect, because an application without a scope to relay may have another database, or no tables. */
    RelayRows(DataSource dataSource) {
        this.database = new OwnTransactions(dataSource);
        this.dialect = SingletonSupplier.of(() -> DatabaseProduct.dialect(dataSource));
    }

    private InboxDialect dialect() {
        return dialect.obtain();
    }

    /**
     * Takes rows that are due, except those that another instance is taking.
     *
     * @param again the time after which they are due once more unless they were {@linkplain #sent sent} by then
     * @return the rows, including those that this version cannot read, which have no messages
     */
    List<RelayedRow> take(Scope scope, int limit, Duration again) {
        InboxDialect sql = dialect();
        String postpone = sql.sql("UPDATE idem_inbox SET relay_at = " + sql.later() + ROW);
        return database.run(jdbc -> {
            List<RelayedRow> rows = jdbc.query(sql.due(), (row, number) -> read(row), scope.name(), limit);
            jdbc.batchUpdate(
                    postpone,
                    rows.stream()
                            .map(row -> new Object[] {again.toSeconds(), row.keyId(), row.scope(), row.fence()})
                            .toList());
            return rows;
        });
    }

    private static RelayedRow read(ResultSet row) throws SQLException {
        String keyId = row.getString("key_id");
        String scope = row.getString("scope");
        return new RelayedRow(
                keyId, scope, row.getLong("fence"), messages(scope + "/" + keyId, row.getBytes("outgoing")));
    }

    /** Decodes the messages of a row; a row that cannot be read has none, so that it does not delay the others. */
    private static List<OutgoingMessage> messages(String record, byte[] outgoing) {
        try {
            return OutgoingCodec.decode(outgoing);
        } catch (IllegalStateException unreadable) {
            LOG.error("The messages in the inbox row of {} are not sent: {}", record, unreadable.getMessage());
            return List.of();
        }
    }

    /** Removes the messages of these rows, after their brokers have confirmed them. */
    void sent(List<RelayedRow> rows) {
        if (!rows.isEmpty()) {
            List<Object[]> keys = rows.stream()
                    .map(row -> new Object[] {row.keyId(), row.scope(), row.fence()})
                    .toList();
            int[] unused = database.run(jdbc -> jdbc.batchUpdate(dialect().sql(SENT), keys));
        }
    }

    long unsent(Scope scope) {
        return database.run(
                jdbc -> Objects.requireNonNull(jdbc.queryForObject(dialect().sql(UNSENT), Long.class, scope.name())));
    }
}
