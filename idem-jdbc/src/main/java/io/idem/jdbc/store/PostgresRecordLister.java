package io.idem.jdbc.store;

import io.idem.jdbc.internal.Parameters;
import io.idem.jdbc.internal.RecordPages;
import io.idem.jdbc.internal.StoreConnections;
import io.idem.spi.RecordLister;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Lists the records in PostgreSQL in the order of their primary key, one range of it per page. Thread-safe; blocks on
 * one connection for each page.
 */
public final class PostgresRecordLister implements RecordLister {

    private final StoreConnections database;

    /** Creates a lister with {@link PostgresIdempotencyStore#DEFAULT_STATEMENT_TIMEOUT}. */
    public PostgresRecordLister(DataSource dataSource) {
        this(dataSource, PostgresIdempotencyStore.DEFAULT_STATEMENT_TIMEOUT);
    }

    /**
     * Creates a lister.
     *
     * @param statementTimeout the longest time for one page, in whole seconds, rounded up
     */
    public PostgresRecordLister(DataSource dataSource, Duration statementTimeout) {
        this.database = new StoreConnections(dataSource, statementTimeout);
    }

    @Override
    public Page list(String cursor, int most) {
        String[] after = RecordPages.after(cursor);
        return database.call("SELECT of the records", RecordStatements.LIST, statement -> {
            int unused = Parameters.bind(statement, after[0], after[1], most);
            return RecordPages.page(PostgresIdempotencyStore.rows(statement), most);
        });
    }

    /** Does nothing: connections are returned to their pool after each page. */
    @Override
    public void close() {}
}
