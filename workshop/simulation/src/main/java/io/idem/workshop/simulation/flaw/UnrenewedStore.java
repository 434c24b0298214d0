package io.idem.workshop.simulation.flaw;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.AsyncIdempotencyStore;
import io.idem.spi.ForwardingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Says that leases are renewed, and does nothing. */
final class UnrenewedStore extends ForwardingIdempotencyStore {

    UnrenewedStore(IdempotencyStore store) {
        super(store);
    }

    @Override
    public AsyncIdempotencyStore async() {
        AsyncIdempotencyStore store = delegate().async();
        return new AsyncIdempotencyStore() {
            @Override
            public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
                return store.acquire(requests);
            }

            @Override
            public List<CompletionStage<StoreAnswer>> settle(List<RecordUpdate> requests) {
                return requests.stream()
                        .map(request -> request instanceof RecordUpdate.Renew
                                ? CompletableFuture.<StoreAnswer>completedStage(new StoreAnswer.Ok(StoredResult.NONE))
                                : store.settle(request))
                        .toList();
            }
        };
    }
}
