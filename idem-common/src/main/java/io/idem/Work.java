package io.idem;

/**
 * Work to be run once per key and scope.
 *
 * @param <T> the type of the value that the caller gets back
 */
@FunctionalInterface
public interface Work<T> {

    /**
     * Runs the work. Long work asks {@link IdempotencyContext#stillOwner()} before it commits.
     *
     * @throws Exception if the work failed; the key is released for a retry and the exception is passed on unchanged
     */
    WorkResult<T> run(IdempotencyContext context) throws Exception;
}
