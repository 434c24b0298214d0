package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Inbox;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.spi.RecordStore;
import io.idem.spi.Stages;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * The steps of an attempt in the database of its inbox, as a store. Answers on the thread that asks.
 *
 * @param threads threads for callers that must not wait
 */
record StepsInInbox(Inbox.LastPhase steps, Executor threads) implements RecordStore {

    /** Fails: leases are granted elsewhere. */
    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return Stages.failed(requests, new IllegalStateException("The steps of an inbox grant no leases"));
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return Stages.each(updates, this::answer);
    }

    private StoreAnswer answer(RecordUpdate update) {
        if (update instanceof RecordUpdate.Remember remember) {
            return steps.remember(remember.lease(), remember.step());
        }
        if (update instanceof RecordUpdate.Recall recall) {
            return steps.recall(recall.lease());
        }
        throw new IllegalStateException(update + " is not about steps");
    }

    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.of(threads);
    }
}
