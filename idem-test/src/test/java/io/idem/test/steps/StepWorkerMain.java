package io.idem.test.steps;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.store.PostgresIdempotencyStore;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.servers.process.ParentWatch;
import io.idem.spi.IdempotencyStore;
import io.idem.test.jdbc.ReusedConnections;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A process that works on many keys at once, each on a thread of its own, until each of them is stopped or settled. The
 * arguments are its name, the port of the {@link Provider}, the milliseconds of a lease, the address of the store, and the
 * assignments.
 */
public final class StepWorkerMain {

    static final Scope SCOPE = new Scope("steps");

    private static final int ASSIGNMENTS = 4;
    private static final Duration RETENTION = Duration.ofHours(1);

    private StepWorkerMain() {}

    public static void main(String[] arguments) {
        ParentWatch.haltWithParent();
        ExecutionPolicy policy = ExecutionPolicy.of(Duration.ofMillis(Long.parseLong(arguments[2])), RETENTION);
        Map<RecordId, StoppableWork> works = new ConcurrentHashMap<>();
        IdempotentExecutor executor = IdempotentExecutor.on(new ReportingStore(store(arguments[3]), works))
                .build();
        for (int i = ASSIGNMENTS; i < arguments.length; i++) {
            Assignment assignment = Assignment.parse(arguments[i]);
            Reports reports = new Reports(Integer.parseInt(arguments[1]), arguments[0], assignment.key());
            StoppableWork work = new StoppableWork(assignment, reports, executor, policy);
            works.put(record(assignment.key()), work);
            new Thread(work, assignment.key()).start();
        }
    }

    static RecordId record(String key) {
        return new RecordId(IdempotencyKey.of(key), SCOPE);
    }

    private static IdempotencyStore store(String address) {
        String[] words = address.split(" ", -1);
        if (words.length == 1) {
            return new RedisIdempotencyStore(RedisSettings.of(RedisURI.create(address)));
        }
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(words[0]);
        source.setUser(words[1]);
        source.setPassword(words[2]);
        source.setCurrentSchema(words[3]);
        return new PostgresIdempotencyStore(new ReusedConnections(source));
    }
}
