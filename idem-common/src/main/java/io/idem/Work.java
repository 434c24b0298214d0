package io.idem;

/**
 * A piece of work to be run once per key and scope.
 *
 * @param <T> what the caller gets back
 */
@FunctionalInterface
public interface Work<T> {

    /**
     * Does it. Long work asks {@link IdempotencyContext#stillOwner()} before it commits.
     *
     * @throws Exception gives the key back for a retry and is passed on unchanged
     */
    WorkResult<T> run(IdempotencyContext context) throws Exception;
}
