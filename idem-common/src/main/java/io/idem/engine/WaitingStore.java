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
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Store for callers that wait: every stage is complete when it is returned. The wait for an answer is limited to the
 * lease of its request, because a later grant is of no use, or to five seconds where the lease is shorter. An interrupt
 * ends the wait, too. Then the stage ends with {@link StoreUnavailableException}, and the request may still take
 * effect. Thread-safe.
 */
record WaitingStore(RecordStore store) implements RecordStore {

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return complete(
                requests, Stages.started(requests.size(), () -> store.acquire(requests)), AcquireRequest::lease);
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        try {
            return complete(
                    updates, store.update(updates), update -> update.lease().duration());
        } catch (Throwable thrown) {
            return Stages.failed(updates, thrown);
        }
    }

    /** Returns the thread of the caller, which waits. */
    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.of(Runnable::run);
    }

    private static <Q, A> List<CompletionStage<A>> complete(
            List<Q> requests, List<CompletionStage<A>> answers, Function<Q, Duration> longest) {
        if (Stages.areAnswered(answers)) {
            return answers;
        }
        List<CompletionStage<A>> complete = new ArrayList<>(requests.size());
        for (CompletionStage<A> answer : answers) {
            complete.add(waited(answer, longest.apply(requests.get(complete.size()))));
        }
        return complete;
    }

    private static <A> CompletionStage<A> waited(CompletionStage<A> answer, Duration longest) {
        try {
            return CompletableFuture.completedFuture(Stages.await(answer, longest));
        } catch (Throwable failure) {
            return Stages.failed(failure);
        }
    }
}
