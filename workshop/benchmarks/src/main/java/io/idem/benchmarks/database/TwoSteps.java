package io.idem.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.context.ConfigurableApplicationContext;

/** The engine of an auto-configured application without a database, whose work has two steps. */
final class TwoSteps extends CallerWay {

    private static final Scope SCOPE = new Scope("bench");

    private final Provider provider;
    private final ConfigurableApplicationContext application;
    private final IdempotentExecutor executor;
    private final ExecutionPolicy policy;

    TwoSteps(Map<String, Object> settings, Provider provider) {
        this.provider = provider;
        application = Applications.startWithoutDatabase(Applications.Empty.class, settings);
        executor = application.getBean(IdempotentExecutor.class);
        policy = application.getBean(ExecutionPolicy.class);
    }

    @Override
    void message(UUID key) throws Exception {
        Operation operation = Operation.of(IdempotencyKey.of(key.toString()), SCOPE, policy);
        Outcome<Integer> outcome = executor.execute(operation, attempt -> {
            call(attempt, "charge");
            call(attempt, "reserve");
            return new WorkResult.Complete<>(1, StoredResult.NONE);
        });
        if (!(outcome instanceof Outcome.Executed || outcome instanceof Outcome.Replayed)) {
            throw new IllegalStateException("A message ended as " + outcome);
        }
    }

    private void call(IdempotencyContext attempt, String name) {
        attempt.step(name, String.class, step -> provider.call(step.key()));
    }

    @Override
    public List<HikariDataSource> pools() {
        return List.of();
    }

    @Override
    public void close() {
        super.close();
        application.close();
    }
}
