package io.idem.redis.store;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Sends batches as their callers made them, and single requests together with those of other callers, unless they are
 * long. Thread-safe.
 */
final class CoalescingBatches {

    /**
     * The size in bytes from which a result is written by itself: a call with many such results would keep Redis from
     * other work, and all of them would fail together.
     */
    static final int LONG_RESULT = 4 * 1024;

    private final RedisBatches batches;
    private final RequestCoalescer<AcquireRequest, Claim> acquires;
    private final RequestCoalescer<RecordUpdate, StoreAnswer> updates;

    CoalescingBatches(RedisBatches batches) {
        this.batches = batches;
        this.acquires = new RequestCoalescer<>(batches::acquireEach);
        this.updates = new RequestCoalescer<>(batches::updateEach);
    }

    List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return requests.size() == 1 ? List.of(acquires.send(requests.get(0))) : batches.acquire(requests);
    }

    List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> requests) {
        return requests.size() == 1 && !isLong(requests.get(0))
                ? List.of(updates.send(requests.get(0)))
                : batches.update(requests);
    }

    private static boolean isLong(RecordUpdate request) {
        if (request instanceof RecordUpdate.Remember remember) {
            return remember.step().result().size() > LONG_RESULT;
        }
        return request instanceof RecordUpdate.Complete complete
                && complete.result().size() > LONG_RESULT;
    }
}
