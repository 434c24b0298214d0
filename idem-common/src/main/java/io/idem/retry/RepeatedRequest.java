package io.idem.retry;

import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.spi.Stages;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request with its repetitions, between which no thread waits. Remembers whether any of its tries may have been
 * executed. Thread-safe.
 */
final class RepeatedRequest<A> {

    private final Supplier<CompletionStage<A>> again;
    private final BooleanSupplier withinBudget;
    private final LongSupplier pauseMillis;
    private final ScheduledExecutorService scheduler;
    private final Optional<Executor> threads;
    private final CompletableFuture<A> answer = new CompletableFuture<>();
    private boolean maybeExecuted;
    private @Nullable StoreUnavailableException lastFailure;

    /**
     * Creates a request that was sent once.
     *
     * @param pauseMillis returns the pause before each repetition
     * @param threads the threads of a store that blocks: on the one thread between the tries, repetitions would wait
     *     for each other
     */
    RepeatedRequest(
            Supplier<CompletionStage<A>> again,
            BooleanSupplier withinBudget,
            LongSupplier pauseMillis,
            ScheduledExecutorService scheduler,
            Optional<Executor> threads) {
        this.again = again;
        this.withinBudget = withinBudget;
        this.pauseMillis = pauseMillis;
        this.scheduler = scheduler;
        this.threads = threads;
    }

    CompletableFuture<A> answer() {
        return answer;
    }

    /** Handles the end of a try: an answer, a failure after which another try may succeed, or a final failure. */
    void follow(CompletionStage<A> attempt) {
        Stages.whenComplete(attempt, (given, failure) -> {
            if (failure == null) {
                answer.complete(given);
            } else if (failure instanceof StoreUnavailableException unavailable) {
                failed(unavailable);
            } else {
                answer.completeExceptionally(failure);
            }
        });
    }

    private void failed(StoreUnavailableException failure) {
        remember(failure);
        try {
            if (withinBudget.getAsBoolean()) {
                var unused = scheduler.schedule(this::tryAgain, pauseMillis.getAsLong(), TimeUnit.MILLISECONDS);
            } else {
                giveUp();
            }
        } catch (RejectedExecutionException closed) {
            giveUp();
        }
    }

    private synchronized void remember(StoreUnavailableException failure) {
        maybeExecuted |= failure.execution() == Execution.UNKNOWN;
        lastFailure = failure;
    }

    private void tryAgain() {
        try {
            threads.ifPresentOrElse(others -> others.execute(this::sendInTime), this::send);
        } catch (RejectedExecutionException full) {
            failed(Stages.refused(full));
        }
    }

    /** Sends a request that has waited for a thread, unless the budget is used up. */
    private void sendInTime() {
        if (withinBudget.getAsBoolean()) {
            send();
        } else {
            giveUp();
        }
    }

    /** Sends the request again, unless its caller has stopped waiting. */
    private void send() {
        if (!answer.isDone()) {
            follow(Stages.started(again));
        }
    }

    /** Ends a request that has only failed so far, with the failure of all of its tries. */
    synchronized void giveUp() {
        if (lastFailure != null) {
            answer.completeExceptionally(Repetition.asWhole(lastFailure, maybeExecuted));
        }
    }
}
