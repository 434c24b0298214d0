package io.idem.spi;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Decorator that calls another store with one request at a time, on the thread of its caller, which waits: for test
 * doubles that change some requests. Batches go through the methods for one request, so that a subclass which overrides
 * one of those changes both. Updates without such a method go to {@link #update} alone: those of steps, and failures that
 * do not count.
 */
public abstract class PerRequestStore extends StoreDecorator {

    /** Wraps {@code store}; closing closes it too. */
    protected PerRequestStore(IdempotencyStore store) {
        super(store);
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return Stages.each(requests, this::acquire);
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return Stages.each(updates, this::update);
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        return delegate().acquire(request);
    }

    @Override
    public StoreAnswer update(RecordUpdate update) {
        if (update instanceof RecordUpdate.Renew) {
            return renew(update.lease());
        }
        if (update instanceof RecordUpdate.Complete complete) {
            return complete(complete.lease(), complete.result());
        }
        if (update instanceof RecordUpdate.Fail fail && fail.counted()) {
            return fail(fail.lease(), fail.delay());
        }
        if (update instanceof RecordUpdate.Reject reject) {
            return reject(reject.lease(), reject.reason());
        }
        return delegate().update(update);
    }

    @Override
    public StoreAnswer renew(Lease lease) {
        return delegate().renew(lease);
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        return delegate().complete(lease, result);
    }

    @Override
    public StoreAnswer fail(Lease lease, Duration delay) {
        return delegate().fail(lease, delay);
    }

    @Override
    public StoreAnswer reject(Lease lease, String reason) {
        return delegate().reject(lease, reason);
    }
}
