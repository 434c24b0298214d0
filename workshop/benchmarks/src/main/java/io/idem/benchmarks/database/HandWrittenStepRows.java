package io.idem.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The control of steps before a row: a table with the answers of a message's calls, which is read first, and a transaction with the
 * row of the processed message, the business row and the removal of the answers.
 */
final class HandWrittenStepRows extends CallerWay {

    private static final String EVENTS = "CREATE TABLE processed_events (event_id uuid PRIMARY KEY,"
            + " processed_at timestamptz NOT NULL DEFAULT now())";
    private static final String ANSWERS = "CREATE TABLE call_answers (event_id uuid NOT NULL, name text NOT NULL,"
            + " answer text NOT NULL, PRIMARY KEY (event_id, name))";
    private static final String PROCESSED = "SELECT 1 FROM processed_events WHERE event_id = ?";
    private static final String READ = "SELECT name, answer FROM call_answers WHERE event_id = ?";
    private static final String KEEP = "INSERT INTO call_answers VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
    private static final String CLAIM = "INSERT INTO processed_events (event_id) VALUES (?) ON CONFLICT DO NOTHING";
    private static final String FORGET = "DELETE FROM call_answers WHERE event_id = ?";

    private final Provider provider;
    private final HikariDataSource pool;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transactions;

    HandWrittenStepRows(WayDatabase database, Provider provider) {
        this.provider = provider;
        this.pool = database.pool();
        this.jdbc = new JdbcTemplate(pool);
        this.transactions = new TransactionTemplate(new JdbcTransactionManager(pool));
        jdbc.execute(EVENTS);
        jdbc.execute(ANSWERS);
        BusinessRow.createTable(jdbc);
    }

    @Override
    void message(UUID key) {
        if (!jdbc.queryForList(PROCESSED, key).isEmpty()) {
            return;
        }
        Map<String, String> answers =
                jdbc
                        .query(READ, (row, number) -> Map.entry(row.getString("name"), row.getString("answer")), key)
                        .stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        answer(key, "charge", answers, () -> provider.call(key + "/charge"));
        answer(key, "reserve", answers, () -> provider.call(key + "/reserve"));
        transactions.executeWithoutResult(transaction -> {
            if (jdbc.update(CLAIM, key) == 0) {
                transaction.setRollbackOnly();
                return;
            }
            BusinessRow.insert(jdbc, key);
            int unused = jdbc.update(FORGET, key);
        });
    }

    private void answer(UUID key, String name, Map<String, String> known, Supplier<String> call) {
        if (!known.containsKey(name)) {
            int unused = jdbc.update(KEEP, key, name, call.get());
        }
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
