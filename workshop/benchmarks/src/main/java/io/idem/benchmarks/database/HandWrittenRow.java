package io.idem.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The pattern of every tutorial, the control: a row in a table of processed events and the business row in one
 * transaction. With a result, that is written to the row before the commit, and read for a duplicate.
 */
final class HandWrittenRow extends CallerWay {

    private static final String TABLE = "CREATE TABLE processed_events (event_id uuid PRIMARY KEY,"
            + " processed_at timestamptz NOT NULL DEFAULT now(), result bytea)";
    private static final String CLAIM = "INSERT INTO processed_events (event_id) VALUES (?) ON CONFLICT DO NOTHING";
    private static final String RECORD = "UPDATE processed_events SET result = ? WHERE event_id = ?";
    private static final String FIND = "SELECT result FROM processed_events WHERE event_id = ?";

    private final HikariDataSource pool;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transactions;
    private final byte[] result;

    /** Creates the way; {@code resultBytes} is 0 for work without a result. */
    HandWrittenRow(WayDatabase database, int resultBytes) {
        this.pool = database.pool();
        this.jdbc = new JdbcTemplate(pool);
        this.transactions = new TransactionTemplate(new JdbcTransactionManager(pool));
        this.result = new byte[resultBytes];
        jdbc.execute(TABLE);
        BusinessRow.createTable(jdbc);
    }

    @Override
    void message(UUID key) {
        transactions.executeWithoutResult(transaction -> {
            if (jdbc.update(CLAIM, key) == 0) {
                duplicate(key, transaction);
                return;
            }
            BusinessRow.insert(jdbc, key);
            if (result.length > 0) {
                jdbc.update(RECORD, result, key);
            }
        });
    }

    private void duplicate(UUID key, TransactionStatus transaction) {
        if (result.length > 0) {
            jdbc.queryForObject(FIND, byte[].class, key);
        }
        transaction.setRollbackOnly();
    }

    @Override
    public List<HikariDataSource> pools() {
        return List.of(pool);
    }

    @Override
    public void close() {
        super.close();
        pool.close();
    }
}
