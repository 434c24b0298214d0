package io.idem.jdbc;

import java.time.Duration;
import javax.sql.DataSource;

/**
 * Deletes records whose retention has ended. They count as absent already: this only gives their room back, so it may run
 * seldom or late. Thread-safe; several instances may clean at once, each takes other rows.
 */
public final class RecordCleaner {

    private static final int BATCH = 1_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String DELETE = "DELETE FROM idem_record WHERE (key_id, scope) IN ("
            + "SELECT key_id, scope FROM idem_record WHERE expires_at <= clock_timestamp()"
            + " ORDER BY expires_at LIMIT " + BATCH + " FOR UPDATE SKIP LOCKED) AND expires_at <= clock_timestamp()";

    private final StoreConnections database;

    public RecordCleaner(DataSource dataSource) {
        this.database = new StoreConnections(dataSource, TIMEOUT);
    }

    /**
     * Deletes what has expired, {@value #BATCH} rows at a time so that no lock is held for long. Blocks until done.
     *
     * @return number of records deleted
     * @throws io.idem.StoreUnavailableException if the database does not answer
     */
    public long clean() {
        long total = 0;
        int deleted;
        do {
            deleted = database.call("DELETE of expired records", DELETE, statement -> statement.executeUpdate());
            total += deleted;
        } while (deleted == BATCH);
        return total;
    }
}
