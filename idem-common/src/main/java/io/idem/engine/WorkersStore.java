package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.spi.RecordStore;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Store whose answers are continued on workers, so that code of users never blocks the threads of a store's client. If
 * the workers refuse or fail, a grant is released, and the continuation of an update runs on the thread that answered
 * it: its effect has happened.
 */
record WorkersStore(RecordStore store, Workers workers) implements RecordStore {

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        List<CompletionStage<Claim>> handed = new ArrayList<>(requests.size());
        for (CompletionStage<Claim> answer : Stages.started(requests.size(), () -> store.acquire(requests))) {
            CompletableFuture<Claim> claim = new CompletableFuture<>();
            handed.add(claim);
            Stages.whenComplete(answer, (given, failure) -> {
                try {
                    workers.threads().execute(() -> Stages.copy(answer, claim));
                } catch (Throwable refused) {
                    giveBack(given);
                    claim.completeExceptionally(failure == null ? refused : failure);
                }
            });
        }
        return handed;
    }

    /**
     * Releases a grant. A takeover is not released, because the next grant would look like a retry after a known
     * failure; its lease expires.
     */
    private void giveBack(Claim unwanted) {
        if (unwanted instanceof Claim.Granted granted && !granted.isTakeover()) {
            var unused = Stages.started(
                    1, () -> store.update(List.of(new RecordUpdate.Fail(granted.lease(), Duration.ZERO))));
        }
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> requests) {
        List<CompletionStage<StoreAnswer>> handed = new ArrayList<>(requests.size());
        for (CompletionStage<StoreAnswer> answer : Stages.started(requests.size(), () -> store.update(requests))) {
            CompletableFuture<StoreAnswer> passedOn = new CompletableFuture<>();
            handed.add(passedOn);
            Stages.whenComplete(answer, (given, failure) -> workers.execute(() -> Stages.copy(answer, passedOn)));
        }
        return handed;
    }

    @Override
    public Optional<Executor> blockingThreads() {
        return store.blockingThreads();
    }
}
