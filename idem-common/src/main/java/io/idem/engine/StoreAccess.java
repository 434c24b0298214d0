package io.idem.engine;

import io.idem.spi.AsyncIdempotencyStore;
import io.idem.spi.ForwardingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Access of the algorithm to the store and to confirmations. The algorithm is written once, in stages: with the access
 * {@linkplain #ofCaller of a caller} each stage is complete when it is made, because the caller's thread did the waiting.
 *
 * @param store answers acquires and settles
 * @param confirmations waits for what an attempt published
 */
record StoreAccess(AsyncIdempotencyStore store, Confirmations confirmations) {

    /** Everything on the calling thread, which waits. */
    static StoreAccess ofCaller(IdempotencyStore store) {
        return new StoreAccess(
                new ForwardingIdempotencyStore(store) {}.async(),
                (barrier, budget) -> CompletableFuture.completedFuture(barrier.await(budget)));
    }

    /** Nobody waits; what follows an answer runs on {@code workers}. */
    static StoreAccess of(IdempotencyStore store, Workers workers) {
        return new StoreAccess(new WorkersStore(store.async(), workers), confirmedOn(workers));
    }

    /** The caller waits for many answers and does everything itself meanwhile: what it starts to settle goes to the store in one go. */
    static StoreAccess ofExecutor(IdempotencyStore store, Workers executor) {
        return new StoreAccess(new BatchingStore(store, executor), confirmedOn(executor));
    }

    private static Confirmations confirmedOn(Workers workers) {
        return (barrier, budget) -> barrier.awaitAsync(budget, workers);
    }

    /** See {@link ConfirmationBarrier}. */
    @FunctionalInterface
    interface Confirmations {

        CompletionStage<Optional<Throwable>> of(ConfirmationBarrier barrier, Duration budget);
    }
}
