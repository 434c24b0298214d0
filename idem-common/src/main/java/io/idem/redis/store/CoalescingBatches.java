package io.idem.redis.store;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.spi.AsyncIdempotencyStore;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Batches as their callers made them; single requests together with those of other callers, unless they are long. Thread-safe. */
final class CoalescingBatches implements AsyncIdempotencyStore {

    /** Bytes of a result that is written by itself: a call of many such would keep Redis from everybody else, and share their fate. */
    static final int LONG_RESULT = 4 * 1024;

    private final RedisBatches batches;
    private final RequestCoalescer<AcquireRequest, Claim> acquires;
    private final RequestCoalescer<RecordUpdate, StoreAnswer> updates;

    CoalescingBatches(RedisBatches batches) {
        this.batches = batches;
        this.acquires = new RequestCoalescer<>(batches::acquireEach);
        this.updates = new RequestCoalescer<>(batches::settleEach);
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return requests.size() == 1 ? List.of(acquire(requests.get(0))) : batches.acquire(requests);
    }

    @Override
    public List<CompletionStage<StoreAnswer>> settle(List<RecordUpdate> requests) {
        return requests.size() == 1 ? List.of(settle(requests.get(0))) : batches.settle(requests);
    }

    @Override
    public CompletionStage<Claim> acquire(AcquireRequest request) {
        return acquires.send(request);
    }

    @Override
    public CompletionStage<StoreAnswer> settle(RecordUpdate request) {
        return isLong(request) ? batches.settle(request) : updates.send(request);
    }

    private static boolean isLong(RecordUpdate request) {
        return request instanceof RecordUpdate.Complete complete
                && complete.result().size() > LONG_RESULT;
    }
}
