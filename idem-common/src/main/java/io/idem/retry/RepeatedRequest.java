package io.idem.retry;

import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.spi.Stages;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One request of a batch. Remembers whether any of its tries may have been executed. */
final class RepeatedRequest<Q, A> {

    private final Q request;
    private final boolean repeatable;
    private final CompletableFuture<A> answer = new CompletableFuture<>();
    private boolean maybeExecuted;
    private @Nullable StoreUnavailableException lastFailure;

    RepeatedRequest(Q request, boolean repeatable) {
        this.request = request;
        this.repeatable = repeatable;
    }

    Q request() {
        return request;
    }

    CompletableFuture<A> answer() {
        return answer;
    }

    boolean isOpen() {
        return !answer.isDone();
    }

    synchronized Optional<StoreUnavailableException> lastFailure() {
        return Optional.ofNullable(lastFailure);
    }

    /** Takes in how a try ended; completes after that, with whether the request has its answer. */
    CompletableFuture<Boolean> take(CompletionStage<A> tried) {
        return Stages.handle(tried, answer::complete, failure -> {
            if (repeatable && failure instanceof StoreUnavailableException unavailable) {
                failed(unavailable);
                return false;
            }
            return answer.completeExceptionally(failure);
        });
    }

    private synchronized void failed(StoreUnavailableException failure) {
        maybeExecuted |= failure.execution() == Execution.UNKNOWN;
        lastFailure = failure;
    }

    void giveUp() {
        lastFailure().ifPresent(last -> answer.completeExceptionally(Repetition.asWhole(last, wasMaybeExecuted())));
    }

    private synchronized boolean wasMaybeExecuted() {
        return maybeExecuted;
    }
}
