package io.idem.spi;

import io.idem.FailurePolicy;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Continues stages without wrapping their exceptions, as {@link RecordStore} promises; for authors of stores.
 * Continuations run on the thread that completes the stage, or at once if it is complete. Thread-safe.
 */
public final class Stages {

    /** Shortest time for which a caller waits for a store, however short the lease is. */
    static final Duration SHORTEST_WAIT = Duration.ofSeconds(5);

    private Stages() {}

    /**
     * Maps the answer of a stage. The new stage fails with the failure of the stage, or with an exception of {@code
     * then}.
     */
    public static <A, B> CompletableFuture<B> map(CompletionStage<A> stage, Function<? super A, ? extends B> then) {
        return handle(stage, then, failure -> {
            throw failure;
        });
    }

    /**
     * Maps the answer of a request to a store. A caller that stops waiting for the new stage, see {@link #await}, ends
     * the given stage too, so that the request is not repeated for it.
     */
    public static <A, B> CompletableFuture<B> mapRequest(
            CompletionStage<A> request, Function<? super A, ? extends B> then) {
        CompletableFuture<B> mapped = map(request, then);
        if (!mapped.isDone()) {
            whenComplete(mapped, (answer, failure) -> {
                if (failure != null) {
                    request.toCompletableFuture().completeExceptionally(failure);
                }
            });
        }
        return mapped;
    }

    /**
     * Maps the answer of a stage by {@code then}, and its failure by {@code otherwise}. The new stage fails with the
     * exceptions that they throw.
     */
    public static <A, B> CompletableFuture<B> handle(
            CompletionStage<A> stage, Function<? super A, ? extends B> then, Otherwise<? extends B> otherwise) {
        if (isAnswered(stage)) {
            return Stages.<B>started(() -> CompletableFuture.completedFuture(then.apply(answer(stage))))
                    .toCompletableFuture();
        }
        CompletableFuture<B> continued = new CompletableFuture<>();
        whenComplete(stage, (answer, failure) -> {
            try {
                continued.complete(failure == null ? then.apply(answer) : otherwise.answer(failure));
            } catch (Throwable thrown) {
                continued.completeExceptionally(thrown);
            }
        });
        return continued;
    }

    /** Continues the answer of a stage with the stage that {@code then} returns. */
    public static <A, B> CompletableFuture<B> compose(
            CompletionStage<A> stage, Function<? super A, ? extends CompletionStage<B>> then) {
        return compose(stage, (answer, failure) -> failure == null ? then.apply(answer) : failed(failure));
    }

    /**
     * Continues a stage after an answer or a failure with the stage that {@code then} returns. The failure is null
     * after an answer.
     */
    public static <A, B> CompletableFuture<B> compose(
            CompletionStage<A> stage, BiFunction<? super A, @Nullable Throwable, ? extends CompletionStage<B>> then) {
        if (isAnswered(stage)) {
            return Stages.<B>started(() -> then.apply(answer(stage), null).toCompletableFuture())
                    .toCompletableFuture();
        }
        CompletableFuture<B> continued = new CompletableFuture<>();
        whenComplete(stage, (answer, failure) -> {
            try {
                copy(then.apply(answer, failure), continued);
            } catch (Throwable thrown) {
                continued.completeExceptionally(thrown);
            }
        });
        return continued;
    }

    /**
     * Returns the stages of a call to a store with that many requests. If the call throws all the same, because memory
     * or a class is missing, every stage fails with that exception; otherwise callers would wait for ever.
     */
    public static <T> List<CompletionStage<T>> started(int requests, Supplier<List<CompletionStage<T>>> start) {
        try {
            return start.get();
        } catch (Throwable thrown) {
            return Collections.nCopies(requests, failed(thrown));
        }
    }

    /** Completes {@code to} with the answer or the failure of {@code from}. */
    public static <T> void copy(CompletionStage<? extends T> from, CompletableFuture<T> to) {
        whenComplete(from, (answer, failure) -> {
            if (failure == null) {
                to.complete(answer);
            } else {
                to.completeExceptionally(failure);
            }
        });
    }

    /**
     * Calls {@code then} with the answer or the failure of a stage. The failure is unwrapped, and null after an answer.
     */
    public static <T> void whenComplete(
            CompletionStage<? extends T> stage, BiConsumer<? super T, @Nullable Throwable> then) {
        if (isAnswered(stage)) {
            // Exceptions of then are dropped, as those of a stage that completes later are.
            var unused = started(() -> {
                then.accept(answer(stage), null);
                return CompletableFuture.completedFuture(true);
            });
        } else {
            var unused = stage.whenComplete((answer, failure) ->
                    then.accept(answer, failure == null ? null : FailurePolicy.unwrapped(failure)));
        }
    }

    /**
     * Returns whether a stage has an answer already, so that it can be continued without a new stage. False for stages
     * of other types than {@link CompletableFuture}, which may not tell.
     */
    public static boolean isAnswered(CompletionStage<?> stage) {
        return stage.getClass() == CompletableFuture.class
                && stage instanceof CompletableFuture<?> future
                && future.isDone()
                && !future.isCompletedExceptionally();
    }

    /** Returns whether all stages have an answer already. */
    public static boolean areAnswered(List<? extends CompletionStage<?>> stages) {
        return stages.stream().allMatch(Stages::isAnswered);
    }

    private static <A> A answer(CompletionStage<A> complete) {
        return complete.toCompletableFuture().join();
    }

    /** Returns a stage that completes with the given stages when all of them have ended, successfully or not. */
    public static <S extends CompletionStage<?>> CompletableFuture<List<S>> all(List<S> stages) {
        return CompletableFuture.allOf(stages.stream()
                        .map(CompletionStage::toCompletableFuture)
                        .toArray(CompletableFuture<?>[]::new))
                .handle((nothing, failure) -> stages);
    }

    /** Returns the stage that {@code start} returns, or one that failed with its exception. */
    public static <T> CompletionStage<T> started(Supplier<CompletionStage<T>> start) {
        try {
            return start.get();
        } catch (Throwable thrown) {
            return failed(thrown);
        }
    }

    /** Returns the failure of a request that the threads of a store refused. */
    public static StoreUnavailableException refused(RejectedExecutionException full) {
        return new StoreUnavailableException(
                "The threads that speak to the store took no more work: " + full.getMessage(),
                Execution.NOT_EXECUTED,
                full);
    }

    /**
     * Answers requests one after the other on the thread of the caller. The exception of a call fails its own stage
     * only.
     */
    public static <Q, A> List<CompletionStage<A>> each(List<Q> requests, Function<? super Q, ? extends A> call) {
        return requests.stream()
                .map(request -> Stages.<A>started(() -> CompletableFuture.completedFuture(call.apply(request))))
                .toList();
    }

    /**
     * Waits for an answer, or throws the failure of the stage, unwrapped.
     *
     * @param lease longest wait, or five seconds where the lease is shorter: stores limit their calls themselves, and a
     *     lease of milliseconds says nothing about their speed
     * @throws StoreUnavailableException also if there is no answer in time, or if the thread is interrupted; the
     *     interrupt flag stays set. The stage fails with the same exception, so that the request is not repeated
     */
    public static <T> T await(CompletionStage<T> stage, Duration lease) {
        if (isAnswered(stage)) {
            return answer(stage);
        }
        Duration longest = lease.compareTo(SHORTEST_WAIT) > 0 ? lease : SHORTEST_WAIT;
        CompletableFuture<T> answer = stage.toCompletableFuture();
        try {
            return answer.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw rethrown(FailurePolicy.unwrapped(failed));
        } catch (TimeoutException silent) {
            throw givenUp(answer, "The store did not answer within " + longest, silent);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw givenUp(answer, "The caller was interrupted before the store answered", interrupted);
        }
    }

    /** Waits for a stage without a limit, or throws its failure. A checked exception is wrapped. */
    public static <T> T join(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException failed) {
            throw rethrown(FailurePolicy.unwrapped(failed));
        }
    }

    /** Waits for a stage without a limit, or throws its failure, also a checked exception. */
    public static <T> T joinOrThrow(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException failed) {
            Throwable failure = FailurePolicy.unwrapped(failed);
            throw failure instanceof Exception exception ? exception : rethrown(failure);
        }
    }

    private static StoreUnavailableException givenUp(CompletableFuture<?> answer, String why, Exception cause) {
        StoreUnavailableException unknown = new StoreUnavailableException(why, Execution.UNKNOWN, cause);
        answer.completeExceptionally(unknown);
        return unknown;
    }

    /** Returns a failure as an exception that any caller can handle; an error is thrown. */
    public static RuntimeException rethrown(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(failure);
    }

    /** Returns a failed stage for each of the requests. */
    public static <T> List<CompletionStage<T>> failed(List<?> requests, Throwable failure) {
        return Collections.nCopies(requests.size(), failed(failure));
    }

    /** Returns a failed stage. */
    public static <T> CompletableFuture<T> failed(Throwable failure) {
        return CompletableFuture.failedFuture(failure);
    }

    /**
     * Answers in place of a failure.
     *
     * @param <B> type of the answer
     */
    @FunctionalInterface
    public interface Otherwise<B> {

        /** Returns the answer, or throws the failure of the new stage. */
        B answer(Throwable failure) throws Throwable;
    }
}
