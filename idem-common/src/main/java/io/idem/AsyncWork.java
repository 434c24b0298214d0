package io.idem;

import java.util.concurrent.CompletionStage;

/**
 * A piece of work to be run once per key and scope, that ends on another thread or at another time than its method.
 *
 * @param <T> what the caller gets back
 */
@FunctionalInterface
public interface AsyncWork<T> {

    /**
     * Starts it, and does not block. {@link IdempotencyContext#current()} is set while this method runs, not in later stages: those
     * keep the {@code context}, and run what asks for the current one through {@link IdempotencyContext#call}. Long work asks
     * {@link IdempotencyContext#stillOwner()} before it commits.
     *
     * @return ends with the work; a failure of the stage counts as if it was thrown, except for a timeout and a cancellation of the
     *     stage ({@link FailurePolicy#leavesStageOpen}): those say nothing of the work, so the key is left to its lease, which is no
     *     longer renewed, the outcome is {@link Outcome.InProgress}, and the next grant is a takeover
     * @throws Exception gives the key back for a retry and is passed on unchanged
     */
    CompletionStage<WorkResult<T>> start(IdempotencyContext context) throws Exception;
}
