package io.idem.spi;

import io.idem.FailurePolicy;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Continues stages without wrapping their exceptions, as {@link AsyncIdempotencyStore} promises; for authors of stores. What is
 * continued runs on the thread that completes the stage, or at once if it is complete. Thread-safe.
 */
public final class Stages {

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
        if (hasAnswer(stage)) {
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
        if (hasAnswer(stage)) {
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
        if (hasAnswer(stage)) {
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
    private static boolean hasAnswer(CompletionStage<?> stage) {
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
