package io.idem.test.steps;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.engine.IdempotentExecutor;
import io.idem.servers.process.ParentWatch;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A process that works on many keys at once, each on a thread of its own, until each of them is stopped or settled. Works on one
 * key alone before: leases would end while hundreds of threads load classes and open connections. The
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
        Map<RecordId, StoppableWork> works = new ConcurrentHashMap<>();
        Workplace place = Workplace.at(arguments[3]).reporting(works);
        ExecutionPolicy policy =
                place.policy(ExecutionPolicy.of(Duration.ofMillis(Long.parseLong(arguments[2])), RETENTION));
        IdempotentExecutor executor = place.executor();
        Function<Assignment, StoppableWork> registered = assignment -> {
            Reports reports = new Reports(Integer.parseInt(arguments[1]), arguments[0], assignment.key());
            StoppableWork work = new StoppableWork(assignment, reports, place, executor, policy);
            works.put(record(assignment.key()), work);
            return work;
        };
        registered
                .apply(new Assignment("first-of-" + arguments[0], Rule.RERUN, Optional.empty()))
                .run();
        for (int i = ASSIGNMENTS; i < arguments.length; i++) {
            Assignment assignment = Assignment.parse(arguments[i]);
            new Thread(registered.apply(assignment), assignment.key()).start();
        }
    }

    static RecordId record(String key) {
        return new RecordId(IdempotencyKey.of(key), SCOPE);
    }
}
