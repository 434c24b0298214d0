package io.idem.retry;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.spi.Stages;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A call with its repetitions. Remembers whether any of its tries may have been executed. Thread-safe. */
final class Repetition {

    private final Retry retry;
    private final BooleanSupplier withinBudget;
    private volatile boolean maybeExecuted;
    private volatile boolean underWay;
    private volatile @Nullable StoreUnavailableException last;

    Repetition(RetryConfig pauses, BooleanSupplier withinBudget) {
        this.retry = Retry.of(
                "idem-store",
                RetryConfig.from(pauses).retryOnException(this::worthRepeating).build());
        this.withinBudget = withinBudget;
    }

    private boolean worthRepeating(Throwable failure) {
        if (!(failure instanceof StoreUnavailableException unavailable)) {
            return false;
        }
        if (unavailable.execution() == Execution.UNKNOWN) {
            maybeExecuted = true;
        }
        last = unavailable;
        underWay = false;
        return withinBudget.getAsBoolean();
    }

    /** Runs a blocking call, and repeats it after a failure. */
    <T> T run(Supplier<T> call) {
        try {
            return retry.executeSupplier(call);
        } catch (StoreUnavailableException failed) {
            throw asWhole();
        }
    }

    /**
     * Repeats a request whose first try has failed, and completes {@code answer} with the end. No thread waits between
     * the tries.
     *
     * @param threads the threads of a store that blocks. On the scheduler's single thread a blocking repetition would
     *     delay all others
     */
    <A> void follow(
            CompletionStage<A> first,
            CompletableFuture<A> answer,
            Supplier<CompletionStage<A>> again,
            ScheduledExecutorService scheduler,
            Optional<Executor> threads) {
        AtomicBoolean sent = new AtomicBoolean();
        Supplier<CompletionStage<A>> next = () -> {
            underWay = true;
            return answer.isDone()
                    ? Stages.failed(new CancellationException("The caller has stopped waiting"))
                    : Stages.started(again);
        };
        CompletionStage<A> end = retry.executeCompletionStage(
                scheduler,
                () -> sent.getAndSet(true)
                        ? threads.map(others -> onThread(others, next)).orElseGet(next)
                        : first);
        Stages.whenComplete(end, (given, failure) -> {
            if (failure == null) {
                answer.complete(given);
            } else {
                answer.completeExceptionally(failure instanceof StoreUnavailableException ? asWhole() : failure);
            }
        });
    }

    /** Sends a request that waits for a thread, unless the budget is used up then. */
    private <A> CompletionStage<A> onThread(Executor threads, Supplier<CompletionStage<A>> next) {
        try {
            return Stages.compose(
                    CompletableFuture.supplyAsync(
                            () -> withinBudget.getAsBoolean() ? next.get() : Stages.<A>failed(asWhole()), threads),
                    sent -> sent);
        } catch (RejectedExecutionException full) {
            return Stages.failed(Stages.refused(full));
        }
    }

    /** Ends a request that waits for its next try, or for the answer to it, which may be executed. */
    void giveUp(CompletableFuture<?> answer) {
        if (underWay) {
            maybeExecuted = true;
        }
        if (last != null) {
            answer.completeExceptionally(asWhole());
        }
    }

    /**
     * Returns the failure of the call with all of its tries so far. If the last one was refused and an earlier one was
     * not answered, its outcome is unknown.
     */
    private StoreUnavailableException asWhole() {
        StoreUnavailableException failed = Objects.requireNonNull(last);
        return maybeExecuted && failed.execution() == Execution.NOT_EXECUTED
                ? new StoreUnavailableException(
                        "Another try may have been executed; this one was not: " + failed.getMessage(),
                        Execution.UNKNOWN,
                        failed)
                : failed;
    }
}
