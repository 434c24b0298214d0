package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.spi.RecordStore;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Lane of a thread that waits. The wait for an answer is limited to the lease of its request, because a later grant is of
 * no use, or to five seconds where the lease is shorter. An interrupt ends the wait, too. Then the stage ends with
 * {@link StoreUnavailableException}, and the request may still take effect.
 */
record CallerLane(RecordStore store) implements Lane {

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        List<CompletionStage<Claim>> complete = new ArrayList<>(requests.size());
        for (CompletionStage<Claim> answer : Stages.started(requests.size(), () -> store.acquire(requests))) {
            complete.add(waited(answer, requests.get(complete.size()).lease()));
        }
        return complete;
    }

    @Override
    public CompletionStage<StoreAnswer> update(RecordUpdate update) {
        try {
            return waited(store.update(List.of(update)).get(0), update.lease().duration());
        } catch (Throwable thrown) {
            return Stages.failed(thrown);
        }
    }

    private static <A> CompletionStage<A> waited(CompletionStage<A> answer, Duration longest) {
        if (Stages.isAnswered(answer)) {
            return answer;
        }
        try {
            return CompletableFuture.completedFuture(Stages.await(answer, longest));
        } catch (Throwable failure) {
            return Stages.failed(failure);
        }
    }

    @Override
    public CompletionStage<Optional<Throwable>> confirmed(ConfirmationBarrier barrier, Duration budget) {
        return CompletableFuture.completedFuture(barrier.await(budget));
    }
}
