package io.idem.test.steps;

import static org.awaitility.Awaitility.await;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.step.StepContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Two steps under one key, and a local effect where there is an inbox; tried until the record is settled, and stopped at most once. */
final class StoppableWork implements Runnable {

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    private final Assignment assignment;
    private final Reports reports;
    private final Workplace place;
    private final IdempotentExecutor executor;
    private final Operation operation;
    private boolean stopped;
    private boolean entered;

    StoppableWork(
            Assignment assignment,
            Reports reports,
            Workplace place,
            IdempotentExecutor executor,
            ExecutionPolicy policy) {
        this.assignment = assignment;
        this.reports = reports;
        this.place = place;
        this.executor = executor;
        this.operation = Operation.of(IdempotencyKey.of(assignment.key()), StepWorkerMain.SCOPE, policy);
    }

    @Override
    public void run() {
        await().atMost(PATIENCE).pollDelay(Duration.ZERO).pollInterval(PAUSE).until(this::isSettled);
    }

    private boolean isSettled() {
        entered = false;
        String how;
        try {
            Outcome<String> outcome = executor.execute(operation, this::work);
            how = outcome.getClass().getSimpleName();
            if (outcome instanceof Outcome.Executed
                    || outcome instanceof Outcome.Replayed
                    || outcome instanceof Outcome.Rejected) {
                reports.send(Report.SETTLED, how);
                return true;
            }
        } catch (Exception failure) {
            how = failure.toString();
        }
        if (entered) {
            reports.send(Report.DEFERRED, how);
        }
        return false;
    }

    private WorkResult<String> work(IdempotencyContext attempt) {
        entered = true;
        pass(Boundary.BEFORE_FIRST_STEP, Stop.FIRST_STEP);
        String charge = step(attempt, Stop.FIRST_STEP);
        pass(Boundary.BETWEEN_STEPS, Stop.FIRST_STEP);
        String both = charge + " " + step(attempt, Stop.SECOND_STEP);
        place.book(attempt, assignment.key(), both, () -> pass(Boundary.IN_TRANSACTION, Stop.FIRST_STEP));
        return new WorkResult.Complete<>(both, StoredResult.of("raw", both.getBytes(StandardCharsets.UTF_8)));
    }

    private String step(IdempotencyContext attempt, String name) {
        String value = attempt.step(assignment.rule().step(name, step -> find(name, step)), step -> call(name, step));
        reports.send(Report.RETURNED, name, value);
        return value;
    }

    private Optional<String> find(String name, StepContext step) {
        return Optional.of(reports.send(Report.FIND, name, step.key())).filter(found -> !found.isEmpty());
    }

    private String call(String name, StepContext step) {
        pass(Boundary.REQUEST_NOT_SENT, name);
        String reference = reports.send(Report.CALL, name, step.key());
        pass(Boundary.NOT_REMEMBERED, name);
        return reference;
    }

    void remembered(String step) {
        reports.send(Report.REMEMBERED, step);
        if (step.equals(Stop.FIRST_STEP)) {
            pass(Boundary.AFTER_FIRST_STEP, step);
        }
    }

    /** Stops the thread if this is the place, until the provider lets it go on. */
    void pass(Boundary boundary, String step) {
        if (!stopped && assignment.stop().equals(Optional.of(new Stop(boundary, step)))) {
            stopped = true;
            reports.send(Report.STOPPED);
        }
    }
}
