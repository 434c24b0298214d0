package io.idem.jdbc.store;

import io.idem.jdbc.internal.StoreConnections;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Deletes records whose retention has ended. Since they count as absent already, this only frees space and may run
 * seldom or late. Thread-safe; several instances may clean at once, each deletes other rows.
 */
public final class RecordCleaner {

    private static final int BATCH = 1_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /**
     * Handles the rows that are due: deletes those that have expired, and makes the others due when they expire.
     * Returns the numbers of both. The start of the statement is the time for both, so that no row counts twice.
     */
    private static final String CLEAN = "WITH due AS (SELECT key_id, scope FROM idem_record WHERE clean_at <= now()"
            + " ORDER BY clean_at LIMIT " + BATCH + " FOR UPDATE SKIP LOCKED),"
            + " deleted AS (DELETE FROM idem_record r USING due WHERE r.key_id = due.key_id AND r.scope = due.scope"
            + " AND r.expires_at <= now() RETURNING 1),"
            + " postponed AS (UPDATE idem_record r SET clean_at = r.expires_at FROM due WHERE r.key_id = due.key_id"
            + " AND r.scope = due.scope AND r.expires_at > now() RETURNING 1)"
            + " SELECT (SELECT count(*) FROM deleted), (SELECT count(*) FROM postponed)";

    private final StoreConnections database;

    public RecordCleaner(DataSource dataSource) {
        this.database = new StoreConnections(dataSource, TIMEOUT);
    }

    /**
     * Deletes expired records, {@value #BATCH} rows at a time so that no lock is held for long. Blocks until done.
     *
     * @return the number of records deleted
     * @throws io.idem.StoreUnavailableException if the database does not answer
     */
    public long clean() {
        long total = 0;
        Batch batch;
        do {
            batch = database.call("DELETE of expired records", CLEAN, RecordCleaner::run);
            total += batch.deleted();
        } while (batch.deleted() + batch.postponed() == BATCH);
        return total;
    }

    private static Batch run(PreparedStatement statement) throws SQLException {
        try (ResultSet counts = statement.executeQuery()) {
            counts.next();
            return new Batch(counts.getLong(1), counts.getLong(2));
        }
    }

    private record Batch(long deleted, long postponed) {}
}
