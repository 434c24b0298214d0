package io.idem;

/**
 * An operation that was granted and runs outside {@link io.idem.engine.IdempotentExecutor#execute IdempotentExecutor.execute}, for work that ends on another thread or
 * at another time than the call that started it. Its lease is renewed until it is settled: settle it on every path.
 * Thread-safe; settle once.
 */
public interface RunningOperation {

    /** What the work sees of its attempt. */
    IdempotencyContext context();

    /** Runs a part of the work with {@link IdempotencyContext#current()} set on the calling thread. */
    <T> WorkResult<T> call(Work<T> work) throws Exception;

    /** Settles by the work's result. Blocks on confirmations and on the store. */
    <T> Outcome<T> settle(WorkResult<T> result);

    /**
     * Gives the key back after a failure, best effort: if the store is silent the lease runs out by itself. Does nothing once the
     * work was said to have taken effect: whatever failed since, another attempt would repeat it.
     */
    void abandon();

    /**
     * Ends the attempt without a word to the store, because nobody knows whether the work took effect: the lease runs out by itself, and
     * the next owner learns that by its takeover.
     */
    void leave();
}
