package io.idem.spi;

import io.idem.FailurePolicy;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Continues stages without wrapping their exceptions, as {@link RecordStore} promises; for authors of stores. What is
 * continued runs on the thread that completes the stage, or at once if it is complete. Thread-safe.
 */
public final class Stages {

    /** The shortest time for which a caller waits for a store, however short the lease is. */
    static final Duration SHORTEST_WAIT = Duration.ofSeconds(5);

    private Stages() {}

    /** The answer as {@code then} translates it; a failure, and what {@code then} throws, end the new stage as they are. */
    public static <A, B> CompletableFuture<B> map(CompletionStage<A> stage, Function<? super A, ? extends B> then) {
        return handle(stage, then, failure -> {
            throw failure;
        });
    }

    /** The same, with an answer for failures too; {@code otherwise} may rethrow. */
    public static <A, B> CompletableFuture<B> handle(
            CompletionStage<A> stage, Function<? super A, ? extends B> then, Otherwise<? extends B> otherwise) {
        if (isAnswered(stage)) {
            return at(() -> CompletableFuture.completedFuture(then.apply(answer(stage))));
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

    /** What another stage answers, which {@code then} starts. */
    public static <A, B> CompletableFuture<B> compose(
            CompletionStage<A> stage, Function<? super A, ? extends CompletionStage<B>> then) {
        return compose(stage, (answer, failure) -> failure == null ? then.apply(answer) : failed(failure));
    }

    /** The same after a failure too, which is null after an answer. */
    public static <A, B> CompletableFuture<B> compose(
            CompletionStage<A> stage, BiFunction<? super A, @Nullable Throwable, ? extends CompletionStage<B>> then) {
        if (isAnswered(stage)) {
            return at(() -> then.apply(answer(stage), null).toCompletableFuture());
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
     * The stages that a store starts for so many requests. It should not throw, but memory or a class may be missing: then all of them
     * end by that, since whoever waits would wait for ever.
     */
    public static <T> List<CompletionStage<T>> started(int requests, Supplier<List<CompletionStage<T>>> start) {
        try {
            return start.get();
        } catch (Throwable thrown) {
            return Collections.nCopies(requests, failed(thrown));
        }
    }

    /** Ends {@code to} as {@code from} ends. */
    public static <T> void copy(CompletionStage<? extends T> from, CompletableFuture<T> to) {
        whenComplete(from, (answer, failure) -> {
            if (failure == null) {
                to.complete(answer);
            } else {
                to.completeExceptionally(failure);
            }
        });
    }

    /** Tells how the stage ended; the failure is never a wrapping one, and null after an answer. */
    public static <T> void whenComplete(
            CompletionStage<? extends T> stage, BiConsumer<? super T, @Nullable Throwable> then) {
        if (isAnswered(stage)) {
            tell(answer(stage), then);
        } else {
            var unused = stage.whenComplete((answer, failure) ->
                    then.accept(answer, failure == null ? null : FailurePolicy.unwrapped(failure)));
        }
    }

    /** What is thrown is nobody's, as it would be if the answer had come later. */
    private static <T> void tell(T answer, BiConsumer<? super T, @Nullable Throwable> then) {
        var unused = at(() -> {
            then.accept(answer, null);
            return CompletableFuture.completedFuture(true);
        });
    }

    /**
     * Whether an answer is there already, as it mostly is for those who have waited for many: then nothing need be hung on to the stage.
     * Stages of other kinds than the JDK's usual one may not even say so.
     */
    public static boolean isAnswered(CompletionStage<?> stage) {
        return stage.getClass() == CompletableFuture.class
                && stage instanceof CompletableFuture<?> future
                && future.isDone()
                && !future.isCompletedExceptionally();
    }

    private static <A> A answer(CompletionStage<A> complete) {
        return complete.toCompletableFuture().join();
    }

    /** What is thrown ends the stage, as it would if it had been continued later. */
    private static <B> CompletableFuture<B> at(Supplier<CompletableFuture<B>> once) {
        try {
            return once.get();
        } catch (Throwable thrown) {
            return failed(thrown);
        }
    }

    /** Complete when all of them are, however they ended; answers the stages. */
    public static <S extends CompletionStage<?>> CompletableFuture<List<S>> all(List<S> stages) {
        return CompletableFuture.allOf(stages.stream()
                        .map(CompletionStage::toCompletableFuture)
                        .toArray(CompletableFuture<?>[]::new))
                .handle((nothing, failure) -> stages);
    }

    /** The stage that is started; what is thrown instead ends it. */
    public static <T> CompletionStage<T> started(Supplier<CompletionStage<T>> start) {
        try {
            return start.get();
        } catch (Throwable thrown) {
            return failed(thrown);
        }
    }

    /** A stage that is started on a thread of {@code threads}; one that takes no more work has not executed it. */
    public static <T> CompletionStage<T> on(Executor threads, Supplier<CompletionStage<T>> start) {
        CompletableFuture<T> handed = new CompletableFuture<>();
        try {
            threads.execute(() -> copy(started(start), handed));
        } catch (RejectedExecutionException full) {
            handed.completeExceptionally(refused(full));
        }
        return handed;
    }

    /** The failure of requests that the threads of a store took no more. */
    public static StoreUnavailableException refused(RejectedExecutionException full) {
        return new StoreUnavailableException(
                "The threads that speak to the store took no more work: " + full.getMessage(),
                Execution.NOT_EXECUTED,
                full);
    }

    /** Answers requests one after the other on the thread of the caller; what a call throws ends its own stage only. */
    public static <Q, A> List<CompletionStage<A>> each(List<Q> requests, Function<? super Q, ? extends A> call) {
        List<CompletionStage<A>> answers = new ArrayList<>(requests.size());
        for (Q request : requests) {
            answers.add(at(() -> CompletableFuture.completedFuture(call.apply(request))));
        }
        return answers;
    }

    /**
     * Waits for an answer and throws what the stage ended with, unwrapped.
     *
     * @param lease the longest wait, and five seconds where it is shorter: stores bound their calls by themselves, and
     *     a lease of milliseconds says nothing about how fast they are
     * @throws StoreUnavailableException also if there is no answer in time, or the thread is interrupted, whose flag stays; the
     *     stage ends by that too, so that nobody repeats the request
     */
    public static <T> T await(CompletionStage<T> stage, Duration lease) {
        Duration longest = lease.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : lease;
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

    /** Waits for a stage, however long, and throws the failure it ended with; a checked exception as the cause of another. */
    public static <T> T join(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException failed) {
            throw rethrown(FailurePolicy.unwrapped(failed));
        }
    }

    /** Waits for a stage, however long, and throws the failure it ended with, also a checked one. */
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

    private static RuntimeException rethrown(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(failure);
    }

    /** As many stages that failed as there are requests. */
    public static <T> List<CompletionStage<T>> failed(List<?> requests, Throwable failure) {
        return Collections.nCopies(requests.size(), failed(failure));
    }

    /** A stage that failed. */
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

        /** The answer, or an exception. */
        B answer(Throwable failure) throws Throwable;
    }
}
