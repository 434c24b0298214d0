package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.spi.RecordStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Access of the engine to the store and to confirmations. The engine is written once, in stages: with the access
 * {@linkplain #ofCaller of a caller} each stage is complete when it is returned, because the caller's thread has
 * waited.
 *
 * @param store answers acquires and updates
 * @param confirmations waits for the messages that an attempt published
 */
record StoreAccess(RecordStore store, Confirmations confirmations) {

    /** Returns access on the calling thread, which waits. */
    static StoreAccess ofCaller(RecordStore store) {
        return new StoreAccess(
                new WaitingStore(store), (barrier, budget) -> CompletableFuture.completedFuture(barrier.await(budget)));
    }

    /** Returns access for which no thread waits; continuations run on {@code workers}. */
    static StoreAccess of(RecordStore store, Workers workers) {
        return new StoreAccess(new WorkersStore(OnThreads.around(store), workers), confirmedOn(workers));
    }

    /**
     * Returns access for a caller that waits for many answers and runs the continuations itself meanwhile. Updates that
     * it starts go to the store together.
     */
    static StoreAccess ofExecutor(RecordStore store, Workers executor) {
        return new StoreAccess(new BatchingStore(OnThreads.around(store), executor), confirmedOn(executor));
    }

    CompletionStage<Claim> acquire(AcquireRequest request) {
        return store.acquire(List.of(request)).get(0);
    }

    CompletionStage<StoreAnswer> update(RecordUpdate update) {
        return store.update(List.of(update)).get(0);
    }

    private static Confirmations confirmedOn(Workers workers) {
        return (barrier, budget) -> barrier.awaitAsync(budget, workers);
    }

    /** Waits for the confirmations of an attempt; see {@link ConfirmationBarrier}. */
    @FunctionalInterface
    interface Confirmations {

        CompletionStage<Optional<Throwable>> of(ConfirmationBarrier barrier, Duration budget);
    }
}
