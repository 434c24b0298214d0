package io.idem.workshop.simulation.world;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.AsyncIdempotencyStore;
import io.idem.spi.ForwardingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Stages;
import io.idem.workshop.simulation.check.History;
import io.idem.workshop.simulation.check.Names;
import io.idem.workshop.simulation.kernel.Crash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Notes which calls the engine got no answer to, after all repetitions: a lease may lapse then. */
final class ObservedStore extends ForwardingIdempotencyStore {

    private final History history;

    ObservedStore(IdempotencyStore store, History history) {
        super(store);
        this.history = history;
    }

    private <T> T noted(RecordId record, Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException unanswered) {
            history.abandoned(Names.of(record));
            throw unanswered;
        }
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        return noted(request.record(), () -> super.acquire(request));
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        return noted(lease.record(), () -> super.complete(lease, result));
    }

    @Override
    public StoreAnswer fail(Lease lease, Duration delay) {
        return noted(lease.record(), () -> super.fail(lease, delay));
    }

    @Override
    public StoreAnswer reject(Lease lease, String reason) {
        return noted(lease.record(), () -> super.reject(lease, reason));
    }

    @Override
    public AsyncIdempotencyStore async() {
        AsyncIdempotencyStore store = delegate().async();
        return new AsyncIdempotencyStore() {
            @Override
            public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
                List<CompletionStage<Claim>> answers = store.acquire(requests);
                for (int i = 0; i < requests.size(); i++) {
                    note(requests.get(i).record(), answers.get(i));
                }
                return answers;
            }

            @Override
            public List<CompletionStage<StoreAnswer>> settle(List<RecordUpdate> requests) {
                List<CompletionStage<StoreAnswer>> answers = new ArrayList<>(store.settle(requests));
                for (int i = 0; i < requests.size(); i++) {
                    note(requests.get(i).lease().record(), answers.get(i));
                }
                return answers;
            }
        };
    }

    private void note(RecordId record, CompletionStage<?> answer) {
        Stages.whenComplete(answer, (given, failure) -> {
            if (failure != null && !(failure instanceof Crash)) {
                history.abandoned(Names.of(record));
            }
        });
    }
}
