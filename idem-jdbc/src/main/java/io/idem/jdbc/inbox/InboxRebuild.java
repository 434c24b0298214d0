package io.idem.jdbc.inbox;

import io.idem.Scope;
import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.InboxRows;
import io.idem.spi.RecordRestorer;
import io.idem.spi.RecordRestorer.Lost;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Fills a store that has lost its records from the rows of the inbox: an operator's call, after Redis came back empty. Without
 * it nothing is repeated either, since duplicates find their rows; with it they are answered without the database again.
 *
 * <p>A row that keeps messages is passed over, unless a relay sends them: whether they left is not known, and a record that is
 * done would keep the redelivery from publishing them. Only what is absent is written, so it may run while work goes on, on
 * several instances, and again. Thread-safe; blocks until done.
 */
public final class InboxRebuild {

    private static final int BATCH = 500;

    private final JdbcTemplate jdbc;
    private final InboxDialect dialect;
    private final RecordRestorer store;
    private final Duration retention;

    /**
     * A rebuild; connects, to see which database it is.
     *
     * @param retention how long the store keeps settled records; older rows are passed over, younger ones are restored for
     *     what is left of it
     * @throws InboxSchemaException if the database is neither PostgreSQL nor MariaDB
     */
    public InboxRebuild(DataSource dataSource, RecordRestorer store, Duration retention) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.dialect = DatabaseProduct.dialect(dataSource);
        this.store = store;
        this.retention = retention;
    }

    /**
     * Goes through the rows in the order of their keys, {@value #BATCH} at a time, each batch a statement of its own.
     *
     * @return what was found and what was written
     * @throws io.idem.StoreUnavailableException if the store does not answer; call it again
     */
    public Result run() {
        long rows = 0;
        long restored = 0;
        long left = 0;
        List<Row> batch = next("", "");
        while (!batch.isEmpty()) {
            List<Lost> done = batch.stream()
                    .filter(row -> !row.toPublish())
                    .map(Row::lost)
                    .toList();
            rows += batch.size();
            left += batch.size() - done.size();
            restored += store.restore(done);
            Lost last = batch.get(batch.size() - 1).lost();
            batch = next(last.keyId(), last.scope().name());
        }
        return new Result(rows, restored, left);
    }

    private List<Row> next(String afterKey, String afterScope) {
        return jdbc.query(
                dialect.younger(),
                (row, number) -> new Row(lost(row), row.getBoolean("to_publish")),
                retention.toSeconds(),
                afterKey,
                afterScope,
                BATCH);
    }

    private Lost lost(ResultSet row) throws SQLException {
        Duration age = Duration.ofMillis(row.getLong("age_millis"));
        return new Lost(
                row.getString("key_id"),
                new Scope(row.getString("scope")),
                row.getLong("fence"),
                InboxRows.fingerprint(row),
                InboxRows.result(row),
                Instant.now().minus(age),
                retention.minus(age));
    }

    /**
     * What a rebuild did.
     *
     * @param rows of the inbox within the retention
     * @param restored how many of them the store did not know
     * @param left how many were passed over for their messages: their duplicates are answered from the row, and publish
     */
    public record Result(long rows, long restored, long left) {}

    private record Row(Lost lost, boolean toPublish) {}
}
