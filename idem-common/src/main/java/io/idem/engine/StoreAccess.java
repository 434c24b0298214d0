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
 * Access of the algorithm to the store and to confirmations. The algorithm is written once, in stages: with the access
 * {@linkplain #ofCaller of a caller} each stage is complete when it is made, because the caller's thread did the waiting.
 *
 * @param store answers acquires and updates
 * @param confirmations waits for what an attempt published
 */
record StoreAccess(RecordStore store, Confirmations confirmations) {

    /** Everything on the calling thread, which waits. */
    static StoreAccess ofCaller(RecordStore store) {
        return new StoreAccess(
                new WaitingStore(store), (barrier, budget) -> CompletableFuture.completedFuture(barrier.await(budget)));
    }

    /** Nobody waits; what follows an answer runs on {@code workers}. */
    static StoreAccess of(RecordStore store, Workers workers) {
        return new StoreAccess(new WorkersStore(OnThreads.around(store), workers), confirmedOn(workers));
    }

    /** The caller waits for many answers and does everything itself meanwhile: what it starts to settle goes to the store in one go. */
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

    /** See {@link ConfirmationBarrier}. */
    @FunctionalInterface
    interface Confirmations {

        CompletionStage<Optional<Throwable>> of(ConfirmationBarrier barrier, Duration budget);
    }
}
