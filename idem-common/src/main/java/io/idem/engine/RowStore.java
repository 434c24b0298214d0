package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.Inbox;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.RecordStore;
import io.idem.spi.Stages;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Store of one attempt in an inbox that is the store. The committed row is the completed record, so that
 * completing costs nothing; failures are written by the inbox.
 *
 * @param fingerprint of the payload of the attempt
 */
record RowStore(Inbox.Failures failures, Fingerprint fingerprint) implements RecordStore {

    /** Fails: the row is claimed in the transaction of the work. */
    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return Stages.failed(requests, new IllegalStateException("An inbox that is the store grants no leases"));
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return Stages.each(updates, this::answer);
    }

    private StoreAnswer answer(RecordUpdate update) {
        if (update instanceof RecordUpdate.Complete complete) {
            return new StoreAnswer.Ok(complete.result());
        }
        if (update instanceof RecordUpdate.Renew) {
            return new StoreAnswer.Ok(StoredResult.NONE);
        }
        Inbox.Request attempt = new Inbox.Request(update.lease(), fingerprint);
        return update instanceof RecordUpdate.Fail fail
                ? failures.fail(attempt, fail.delay(), fail.counted())
                : failures.reject(attempt, ((RecordUpdate.Reject) update).reason());
    }

    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.of(Runnable::run);
    }
}
