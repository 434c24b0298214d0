package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.spi.RecordStore;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Lane of a thread that waits for many answers and continues each itself, while the store may still work on the next.
 * Updates are collected until the thread has nothing else to do, and are then sent together.
 */
final class BatchLane implements Lane {

    private final RecordStore store;
    private final Executor caller;
    private List<Collected> collected = new ArrayList<>();

    /**
     * Creates a lane.
     *
     * @param store never blocks its caller
     * @param caller runs tasks on the waiting thread
     */
    BatchLane(RecordStore store, Executor caller) {
        this.store = store;
        this.caller = caller;
    }

    /** Returns a list that waits for each answer when it is taken from the list. */
    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return new Awaited<>(store.acquire(requests));
    }

    @Override
    public CompletionStage<StoreAnswer> update(RecordUpdate update) {
        Collected one = new Collected(update, new CompletableFuture<>());
        if (isFirst(one)) {
            caller.execute(this::send);
        }
        return one.answer();
    }

    private synchronized boolean isFirst(Collected one) {
        collected.add(one);
        return collected.size() == 1;
    }

    private void send() {
        List<Collected> together = take();
        List<CompletionStage<StoreAnswer>> answers = new Awaited<>(Stages.started(
                together.size(),
                () -> store.update(together.stream().map(Collected::request).toList())));
        for (int i = 0; i < together.size(); i++) {
            Stages.copy(answers.get(i), together.get(i).answer());
        }
    }

    private synchronized List<Collected> take() {
        List<Collected> together = collected;
        collected = new ArrayList<>();
        return together;
    }

    @Override
    public CompletionStage<Optional<Throwable>> confirmed(ConfirmationBarrier barrier, Duration budget) {
        return barrier.awaitAsync(budget, caller);
    }

    private record Collected(RecordUpdate request, CompletableFuture<StoreAnswer> answer) {}

    /** List of stages, each of which is complete when it is returned. */
    private static final class Awaited<A> extends AbstractList<CompletionStage<A>> {

        private final List<CompletionStage<A>> stages;

        Awaited(List<CompletionStage<A>> stages) {
            this.stages = stages;
        }

        @Override
        public CompletionStage<A> get(int position) {
            CompletionStage<A> stage = stages.get(position);
            try {
                var unused = stage.toCompletableFuture().join();
            } catch (CompletionException | CancellationException failed) {
                // The failure is handled by those who continue the stage.
            }
            return stage;
        }

        @Override
        public int size() {
            return stages.size();
        }
    }
}
