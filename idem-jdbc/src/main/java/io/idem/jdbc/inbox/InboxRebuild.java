package io.idem.jdbc.inbox;

import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.RecordRow;
import io.idem.spi.RecordRestorer.Lost;
import io.idem.spi.RecordRestorer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Refills a store that has lost its records from the rows of the inbox, called by an operator after Redis came back
 * empty. Without it nothing is repeated either, since duplicates find their rows; with it they are answered without the
 * database again.
 *
 * <p>Only done work is restored, for the rest of its retention. A row that keeps messages is skipped, unless a relay sends them: it is unknown whether they were sent, and a
 * completed record would keep the redelivery from publishing them. Only absent records are written, so a rebuild may
 * run while work goes on, on several instances, and again. Thread-safe; blocks until done.
 */
public final class InboxRebuild {

    private static final int BATCH = 500;

    private final JdbcTemplate jdbc;
    private final InboxDialect dialect;
    private final RecordRestorer store;

    /**
     * Creates a rebuild; connects, to find out the database.
     *
     * @throws InboxSchemaException if the database is not PostgreSQL, MariaDB or MySQL
     */
    public InboxRebuild(DataSource dataSource, RecordRestorer store) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.dialect = DatabaseProduct.dialect(dataSource);
        this.store = store;
    }

    /**
     * Reads the rows in the order of their keys, {@value #BATCH} at a time, each batch a statement of its own.
     *
     * @return the numbers of rows that were found and written
     * @throws io.idem.StoreUnavailableException if the store does not answer; the call may be repeated
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
                afterKey,
                afterScope,
                BATCH);
    }

    private static Lost lost(ResultSet columns) throws SQLException {
        RecordRow row = RecordRow.read(columns);
        return new Lost(
                row.keyId(),
                row.snapshot().scope(),
                row.fence(),
                row.snapshot().fingerprint(),
                row.stored(),
                Instant.now().plus(row.left()),
                row.kept());
    }

    /**
     * The outcome of a rebuild.
     *
     * @param rows the number of rows of done work within their retention
     * @param restored the number of rows that the store had no record of
     * @param left the number of rows that were skipped for their messages: their duplicates are answered from the row,
     *     and publish
     */
    public record Result(long rows, long restored, long left) {}

    private record Row(Lost lost, boolean toPublish) {}
}
