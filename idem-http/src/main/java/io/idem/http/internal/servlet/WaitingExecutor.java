package io.idem.http.internal.servlet;

import io.idem.Admission;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Work;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.RouteOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Begins operations and, if the route says so, waits for a running attempt to end. Blocks for at most the given time. */
final class WaitingExecutor {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    private final IdempotentExecutor executor;

    WaitingExecutor(IdempotentExecutor executor) {
        this.executor = executor;
    }

    Admission<ServletExchange> begin(Operation operation, RouteOptions options) {
        Admission<ServletExchange> beginning = begin(operation, options.waitFor());
        boolean opened = replays(beginning) && options.replayCondition().opened(operation.record());
        return opened ? begin(operation, options.waitFor()) : beginning;
    }

    private Admission<ServletExchange> begin(Operation operation, Duration waitFor) {
        long deadline = System.nanoTime() + waitFor.toNanos();
        Duration pause = FIRST_PAUSE;
        Admission<ServletExchange> beginning = executor.begin(operation);
        while (deferred(beginning) && pauseWithin(deadline, pause)) {
            pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
            beginning = executor.begin(operation);
        }
        return beginning;
    }

    private static boolean replays(Admission<ServletExchange> beginning) {
        return beginning instanceof Admission.Answered<ServletExchange> answered
                && answered.outcome() instanceof Outcome.Replayed<ServletExchange>;
    }

    /**
     * Runs work that ends in this call.
     *
     * @param started whether the work was begun: then the call does not wait again
     */
    <T> Outcome<T> execute(Operation operation, Duration waitFor, Work<T> work, BooleanSupplier started)
            throws Exception {
        long deadline = System.nanoTime() + waitFor.toNanos();
        Duration pause = FIRST_PAUSE;
        Outcome<T> outcome = executor.execute(operation, work);
        while (deferred(outcome) && !started.getAsBoolean() && pauseWithin(deadline, pause)) {
            pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
            outcome = executor.execute(operation, work);
        }
        return outcome;
    }

    /** Returns whether the operation cannot begin because of another attempt. */
    private static boolean deferred(Admission<ServletExchange> beginning) {
        return beginning instanceof Admission.Answered<ServletExchange> answered && deferred(answered.outcome());
    }

    private static boolean deferred(Outcome<?> outcome) {
        return outcome instanceof Outcome.InProgress<?> || outcome instanceof Outcome.NotYet<?>;
    }

    private static boolean pauseWithin(long deadline, Duration pause) {
        long remaining = deadline - System.nanoTime();
        if (remaining <= 0) {
            return false;
        }
        try {
            TimeUnit.NANOSECONDS.sleep(Math.min(remaining, pause.toNanos()));
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
