package io.idem.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.outbox.OutboxRelay;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** The engine of an auto-configured application; the settings say which stores it has. */
final class EngineWay extends CallerWay {

    private static final Scope SCOPE = new Scope("bench");

    private final ConfigurableApplicationContext application;
    private final IdempotentExecutor executor;
    private final HikariDataSource pool;
    private final JdbcTemplate jdbc;
    private final StoredResult result;
    private final ExecutionPolicy policy;
    private final Optional<Inbox> inbox;

    private EngineWay(WayDatabase database, Map<String, Object> settings, boolean inbox, int resultBytes) {
        application = Applications.start(Applications.Empty.class, database, settings);
        executor = application.getBean(IdempotentExecutor.class);
        pool = application.getBean(HikariDataSource.class);
        jdbc = new JdbcTemplate(pool);
        result = resultBytes == 0 ? StoredResult.NONE : StoredResult.of("raw", new byte[resultBytes]);
        policy = application.getBean(ExecutionPolicy.class);
        this.inbox = inbox ? Optional.of(application.getBean(Inbox.class)) : Optional.empty();
        BusinessRow.createTable(jdbc);
    }

    /** Creates a way without an inbox: the work commits its row by itself. */
    static EngineWay withoutInbox(WayDatabase database, Map<String, Object> settings) {
        return new EngineWay(database, settings, false, 0);
    }

    /** Creates a way with the inbox; {@code resultBytes} is 0 for work without a result. */
    static EngineWay withInbox(WayDatabase database, Map<String, Object> settings, int resultBytes) {
        return new EngineWay(database, settings, true, resultBytes);
    }

    @Override
    void message(UUID key) throws Exception {
        Operation operation = Operation.of(IdempotencyKey.of(key.toString()), SCOPE, policy);
        Outcome<Integer> outcome =
                executor.execute(inbox.map(operation::withInbox).orElse(operation), context -> {
                    BusinessRow.insert(jdbc, key);
                    return new WorkResult.Complete<>(1, result);
                });
        if (!(outcome instanceof Outcome.Executed || outcome instanceof Outcome.Replayed)) {
            throw new IllegalStateException("A message ended as " + outcome);
        }
    }

    /** Stops the relay, which looks for rows every few seconds; these ways send no messages. */
    @Override
    public void stopBackground() {
        application.getBeanProvider(OutboxRelay.class).ifAvailable(OutboxRelay::stop);
    }

    @Override
    public List<HikariDataSource> pools() {
        return List.of(pool);
    }

    @Override
    public void close() {
        super.close();
        application.close();
    }
}
