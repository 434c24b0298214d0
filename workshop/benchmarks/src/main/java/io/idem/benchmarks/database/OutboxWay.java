package io.idem.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Operation;
import io.idem.Outbox;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.core.KafkaTemplate;

/** The outbox of an auto-configured application, whose relay sends the messages. */
final class OutboxWay extends SendingWay {

    /** The message that each way sends. */
    static final String PAYLOAD = "x".repeat(200);

    private static final Scope SCOPE = new Scope("bench");

    private final ConfigurableApplicationContext application;
    private final IdempotentExecutor executor;
    private final HikariDataSource pool;
    private final JdbcTemplate jdbc;
    private final KafkaTemplate<String, String> template;
    private final ExecutionPolicy policy;
    private final Inbox inbox;

    /** Starts the application; the settings name its store and the broker. */
    OutboxWay(Arrivals arrivals, WayDatabase database, Map<String, Object> settings) {
        super(arrivals);
        application = Applications.start(Sender.class, database, settings);
        executor = application.getBean(IdempotentExecutor.class);
        pool = application.getBean(HikariDataSource.class);
        jdbc = new JdbcTemplate(pool);
        template = application.getBean(Sender.class).template();
        policy = application.getBean(ExecutionPolicy.class);
        inbox = application.getBean(Outbox.class).inbox(SCOPE);
        BusinessRow.createTable(jdbc);
    }

    @Override
    void message(UUID key) throws Exception {
        Operation operation = Operation.of(IdempotencyKey.of(key.toString()), SCOPE, policy)
                .withInbox(inbox)
                .atIntake();
        Outcome<Integer> outcome = executor.execute(operation, context -> {
            BusinessRow.insert(jdbc, key);
            template.send(topic(), key.toString(), PAYLOAD).join();
            return new WorkResult.Complete<>(1, StoredResult.NONE);
        });
        if (!(outcome instanceof Outcome.Executed)) {
            throw new IllegalStateException("A new key ended as " + outcome);
        }
    }

    @Override
    public List<HikariDataSource> pools() {
        return List.of(pool);
    }

    @Override
    public void close() {
        application.close();
        super.close();
    }

    record Sender(KafkaTemplate<String, String> template) {}
}
