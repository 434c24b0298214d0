package io.idem;

import io.idem.spi.AcquireRequest;
import io.idem.spi.AsyncIdempotencyStore;
import io.idem.spi.Claim;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.SettleRequest;
import io.idem.spi.Settlement;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The store as many callers ask it who do not wait: what they ask at about the same time is one call. Thread-safe. */
final class TogetherStore implements AsyncIdempotencyStore {

    private final Together<AcquireRequest, Claim> acquires;
    private final Together<SettleRequest, Settlement> settlements;

    /** For one lane. */
    TogetherStore(IdempotencyStore store, Workers workers) {
        this.acquires = new Together<>(requests -> store.async().acquire(requests), workers, Together.LONGEST);
        this.settlements = new Together<>(requests -> store.async().settle(requests), workers, Together.LONGEST);
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return acquires.send(requests);
    }

    @Override
    public List<CompletionStage<Settlement>> settle(List<SettleRequest> requests) {
        return settlements.send(requests);
    }
}
