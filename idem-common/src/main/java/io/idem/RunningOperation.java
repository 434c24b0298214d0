package io.idem;

/**
 * A granted operation that runs outside {@link io.idem.engine.IdempotentExecutor#execute IdempotentExecutor.execute},
 * for work that ends on another thread or later than the call that started it. Its lease is renewed until the operation
 * is settled: settle it once, on every path. Thread-safe.
 */
public interface RunningOperation {

    /** Returns the context of the attempt. */
    IdempotencyContext context();

    /** Runs a part of the work with {@link IdempotencyContext#current()} set on the calling thread. */
    <T> WorkResult<T> call(Work<T> work) throws Exception;

    /** Updates the record by the work's result. Blocks on confirmations of published messages and on the store. */
    <T> Outcome<T> settle(WorkResult<T> result);

    /**
     * Releases the key after a failure, best effort: if the store does not answer, the lease expires. Does nothing if
     * the work was reported to have taken effect, because another attempt would repeat it.
     */
    void abandon();

    /**
     * Ends the attempt without an update of the record, because it is unknown whether the work took effect. The lease
     * expires, and the next owner takes over.
     */
    void leave();
}
