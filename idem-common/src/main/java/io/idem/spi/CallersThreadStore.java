package io.idem.spi;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Asynchronous in form only: answers one request after the other on the thread of its caller. */
final class CallersThreadStore implements AsyncIdempotencyStore {

    private final IdempotencyStore store;

    CallersThreadStore(IdempotencyStore store) {
        this.store = store;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return requests.stream().map(request -> answer(request, store::acquire)).toList();
    }

    @Override
    public List<CompletionStage<StoreAnswer>> settle(List<RecordUpdate> requests) {
        return requests.stream().map(request -> answer(request, store::settle)).toList();
    }

    private static <Q, A> CompletionStage<A> answer(Q request, Function<Q, A> call) {
        try {
            return CompletableFuture.completedFuture(call.apply(request));
        } catch (RuntimeException failure) {
            return CompletableFuture.failedStage(failure);
        }
    }
}
