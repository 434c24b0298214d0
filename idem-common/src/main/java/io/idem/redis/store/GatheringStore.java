package io.idem.redis.store;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.SettleRequest;
import io.idem.Settlement;
import io.idem.spi.AsyncIdempotencyStore;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Batches as their callers made them; single requests together with those of other callers, unless they are long. Thread-safe. */
final class GatheringStore implements AsyncIdempotencyStore {

    /** Bytes of a result that is written by itself: a call of many such would keep Redis from everybody else, and share their fate. */
    static final int LONG_RESULT = 4 * 1024;

    private final RedisBatches batches;
    private final Gathering<AcquireRequest, Claim> acquires;
    private final Gathering<SettleRequest, Settlement> settlements;

    GatheringStore(RedisBatches batches) {
        this.batches = batches;
        this.acquires = new Gathering<>(batches::acquireEach);
        this.settlements = new Gathering<>(batches::settleEach);
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return requests.size() == 1 ? List.of(acquire(requests.get(0))) : batches.acquire(requests);
    }

    @Override
    public List<CompletionStage<Settlement>> settle(List<SettleRequest> requests) {
        return requests.size() == 1 ? List.of(settle(requests.get(0))) : batches.settle(requests);
    }

    @Override
    public CompletionStage<Claim> acquire(AcquireRequest request) {
        return acquires.send(request);
    }

    @Override
    public CompletionStage<Settlement> settle(SettleRequest request) {
        return isLong(request) ? batches.settle(request) : settlements.send(request);
    }

    private static boolean isLong(SettleRequest request) {
        return request instanceof SettleRequest.Complete complete
                && complete.result().size() > LONG_RESULT;
    }
}
