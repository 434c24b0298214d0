package io.idem.retry;

import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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

    /** Takes in how a try ended: with an answer, or with a failure that another try may mend, or with one that none does. */
    void take(A given, @Nullable Throwable failure) {
        if (failure == null) {
            answer.complete(given);
        } else if (repeatable && failure instanceof StoreUnavailableException unavailable) {
            failed(unavailable);
        } else {
            answer.completeExceptionally(failure);
        }
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
