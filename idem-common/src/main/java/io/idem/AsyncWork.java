package io.idem;

import java.util.concurrent.CompletionStage;

/**
 * Asynchronous work to be run once per key and scope. Its method only starts the work; the returned stage ends with it.
 *
 * @param <T> the type of the value that the caller gets back
 */
@FunctionalInterface
public interface AsyncWork<T> {

    /**
     * Starts the work without blocking.
     *
     * <p>{@link IdempotencyContext#current()} is set while this method runs, but not in later stages. Later stages keep
     * {@code context} and run code that needs the current context through {@link IdempotencyContext#call}. Long work
     * asks {@link IdempotencyContext#stillOwner()} before it commits.
     *
     * <p>A stage that fails counts as work that throws. The exceptions are timeouts and cancellations of the stage
     * ({@link FailurePolicy#leavesStageOpen}), which say nothing about the work: the lease is no longer renewed and
     * left to expire, the outcome is {@link Outcome.InProgress}, and the next grant is a takeover.
     *
     * @return a stage that ends with the work
     * @throws Exception if the work could not be started; the key is released for a retry and the exception is passed
     *     on unchanged
     */
    CompletionStage<WorkResult<T>> start(IdempotencyContext context) throws Exception;
}
