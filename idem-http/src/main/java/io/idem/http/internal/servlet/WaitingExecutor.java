package io.idem.http.internal.servlet;

import io.idem.Admission;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Work;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.RouteOptions;
import io.idem.http.internal.admission.AttemptWaits;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Begins operations and, if the route says so, waits for a running attempt to end. Blocks for at most the given time. */
final class WaitingExecutor {

    private final IdempotentExecutor executor;

    WaitingExecutor(IdempotentExecutor executor) {
        this.executor = executor;
    }

    Admission<ServletExchange> begin(Operation operation, RouteOptions options) {
        Admission<ServletExchange> beginning = begin(operation, options.waitFor());
        boolean opened =
                AttemptWaits.replays(beginning) && options.replayCondition().opened(operation.record());
        return opened ? begin(operation, options.waitFor()) : beginning;
    }

    private Admission<ServletExchange> begin(Operation operation, Duration waitFor) {
        long deadline = System.nanoTime() + waitFor.toNanos();
        Duration pause = AttemptWaits.FIRST_PAUSE;
        Admission<ServletExchange> beginning = executor.begin(operation);
        while (AttemptWaits.deferred(beginning) && pauseWithin(deadline, pause)) {
            pause = AttemptWaits.after(pause);
            beginning = executor.begin(operation);
        }
        return beginning;
    }

    /**
     * Runs work that ends in this call.
     *
     * @param started whether the work was begun: then the call does not wait again
     */
    <T> Outcome<T> execute(Operation operation, Duration waitFor, Work<T> work, BooleanSupplier started)
            throws Exception {
        long deadline = System.nanoTime() + waitFor.toNanos();
        Duration pause = AttemptWaits.FIRST_PAUSE;
        Outcome<T> outcome = executor.execute(operation, work);
        while (AttemptWaits.deferred(outcome) && !started.getAsBoolean() && pauseWithin(deadline, pause)) {
            pause = AttemptWaits.after(pause);
            outcome = executor.execute(operation, work);
        }
        return outcome;
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
}
