package io.idem.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;
import io.idem.servers.RunningKafka;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The outbox of every tutorial, the control: processed event, business row and message in one transaction, and a poller
 * that sends up to a hundred messages at a time and deletes what the broker has confirmed. It polls again at once while
 * there are messages.
 */
final class HandWrittenOutbox extends SendingWay {

    private static final String EVENTS = "CREATE TABLE processed_events (event_id uuid PRIMARY KEY,"
            + " processed_at timestamptz NOT NULL DEFAULT now())";
    private static final String OUTBOX = "CREATE TABLE outbox (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
            + " message_key text NOT NULL, payload text NOT NULL)";
    private static final String CLAIM = "INSERT INTO processed_events (event_id) VALUES (?) ON CONFLICT DO NOTHING";
    private static final String KEEP = "INSERT INTO outbox (message_key, payload) VALUES (?, ?)";
    private static final String NEXT =
            "SELECT id, message_key, payload FROM outbox ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED";
    private static final String DELETE = "DELETE FROM outbox WHERE id = ?";
    private static final int EMPTY_PAUSE_MILLIS = 10;

    private final HikariDataSource pool;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transactions;
    private final KafkaProducer<String, String> producer;
    private final Thread poller;
    private volatile boolean closed;

    HandWrittenOutbox(WayDatabase database, RunningKafka kafka) throws Exception {
        super(new Arrivals(kafka));
        pool = database.pool();
        jdbc = new JdbcTemplate(pool);
        transactions = new TransactionTemplate(new JdbcTransactionManager(pool));
        List.of(EVENTS, OUTBOX).forEach(jdbc::execute);
        BusinessRow.createTable(jdbc);
        Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
        producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
        poller = new Thread(this::poll, "bench-outbox");
        poller.start();
    }

    @Override
    void message(UUID key) {
        transactions.executeWithoutResult(transaction -> {
            if (jdbc.update(CLAIM, key) == 0) {
                transaction.setRollbackOnly();
                return;
            }
            BusinessRow.insert(jdbc, key);
            jdbc.update(KEEP, key.toString(), OutboxWay.PAYLOAD);
        });
    }

    private void poll() {
        try {
            while (!closed) {
                Boolean sent = transactions.execute(transaction -> send());
                if (!Boolean.TRUE.equals(sent)) {
                    Thread.sleep(EMPTY_PAUSE_MILLIS);
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends the oldest messages, waits for the confirmations and deletes the rows; returns whether there were any. */
    private boolean send() {
        List<Future<RecordMetadata>> confirmations = new ArrayList<>();
        List<Object[]> sent = jdbc.query(NEXT, (row, number) -> {
            confirmations.add(producer.send(new ProducerRecord<>(topic(), row.getString(2), row.getString(3))));
            return new Object[] {row.getLong(1)};
        });
        confirmations.forEach(HandWrittenOutbox::await);
        jdbc.batchUpdate(DELETE, sent);
        return !sent.isEmpty();
    }

    private static void await(Future<RecordMetadata> confirmation) {
        try {
            confirmation.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Stopped while a message was sent", interrupted);
        } catch (Exception refused) {
            throw new IllegalStateException("The broker did not take a message", refused);
        }
    }

    @Override
    public List<HikariDataSource> pools() {
        return List.of(pool);
    }

    @Override
    public void close() {
        closed = true;
        try {
            poller.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        super.close();
        producer.close();
        pool.close();
    }
}
