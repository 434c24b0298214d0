package io.idem.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;
import io.idem.AttemptPolicy;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.InboxTransaction;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.outbox.OutboxRelay;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** The engine of an auto-configured application whose work has two steps and ends in the transaction of its inbox. */
final class TwoStepsAndRow extends CallerWay {

    private static final Scope SCOPE = new Scope("bench");

    private final Provider provider;
    private final ConfigurableApplicationContext application;
    private final IdempotentExecutor executor;
    private final Inbox inbox;
    private final HikariDataSource pool;
    private final JdbcTemplate jdbc;
    private final ExecutionPolicy policy;

    TwoStepsAndRow(WayDatabase database, Map<String, Object> settings, Provider provider) {
        this.provider = provider;
        application = Applications.start(Applications.Empty.class, database, settings);
        executor = application.getBean(IdempotentExecutor.class);
        inbox = application.getBean(Inbox.class);
        pool = application.getBean(HikariDataSource.class);
        jdbc = new JdbcTemplate(pool);
        policy = application
                .getBean(ExecutionPolicy.class)
                .withAttempts(AttemptPolicy.DEFAULT.withTransaction(InboxTransaction.LAST_PHASE));
        BusinessRow.createTable(jdbc);
    }

    @Override
    void message(UUID key) throws Exception {
        Operation operation = Operation.of(IdempotencyKey.of(key.toString()), SCOPE, policy);
        Outcome<Integer> outcome = executor.execute(operation.withInbox(inbox), attempt -> {
            call(attempt, "charge");
            call(attempt, "reserve");
            return attempt.inTransaction(() -> {
                BusinessRow.insert(jdbc, key);
                return new WorkResult.Complete<>(1, StoredResult.NONE);
            });
        });
        if (!(outcome instanceof Outcome.Executed || outcome instanceof Outcome.Replayed)) {
            throw new IllegalStateException("A message ended as " + outcome);
        }
    }

    private void call(IdempotencyContext attempt, String name) {
        var unused = attempt.step(name, String.class, step -> provider.call(step.key()));
    }

    /** Stops the relay, which looks for rows every few seconds; this way sends no messages. */
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
