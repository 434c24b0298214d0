package io.idem.retry;

import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.spi.Stages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request and its repetitions, between which no thread waits. Remembers whether any of its tries may have been executed.
 * Thread-safe.
 */
final class RepeatedRequest<A> {

    private final Supplier<CompletionStage<A>> again;
    private final BooleanSupplier withinBudget;
    private final LongSupplier pauseMillis;
    private final ScheduledExecutorService scheduler;
    private final CompletableFuture<A> answer = new CompletableFuture<>();
    private boolean maybeExecuted;
    private @Nullable StoreUnavailableException lastFailure;

    /**
     * A request that was sent once.
     *
     * @param pauseMillis the pause before each repetition
     */
    RepeatedRequest(
            Supplier<CompletionStage<A>> again,
            BooleanSupplier withinBudget,
            LongSupplier pauseMillis,
            ScheduledExecutorService scheduler) {
        this.again = again;
        this.withinBudget = withinBudget;
        this.pauseMillis = pauseMillis;
        this.scheduler = scheduler;
    }

    CompletableFuture<A> answer() {
        return answer;
    }

    /** Takes in how a try ended: with an answer, or with a failure that another try may mend, or with one that none does. */
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

    /** Not for a caller that waits no longer. */
    private void tryAgain() {
        if (!answer.isDone()) {
            follow(Stages.started(again));
        }
    }

    /** Ends a request that has failed so far with what is known about it. */
    synchronized void giveUp() {
        if (lastFailure != null) {
            answer.completeExceptionally(Repetition.asWhole(lastFailure, maybeExecuted));
        }
    }
}
