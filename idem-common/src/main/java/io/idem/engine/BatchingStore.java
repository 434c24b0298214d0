package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.spi.RecordStore;
import io.idem.spi.Stages;
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
 * Store for a thread that waits for many answers and continues each itself, while the store may still work on the next.
 * Updates are collected until the thread has nothing else to do, and are then sent together. Thread-safe.
 */
final class BatchingStore implements RecordStore {

    private final RecordStore store;
    private final Executor executor;
    private List<Collected> collected = new ArrayList<>();

    /** Creates a store whose answers are continued on {@code executor}. */
    BatchingStore(RecordStore store, Executor executor) {
        this.store = store;
        this.executor = executor;
    }

    /** Returns a list that waits for each answer when it is taken from the list. */
    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return new Awaited<>(store.acquire(requests));
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> requests) {
        List<CompletionStage<StoreAnswer>> handed = new ArrayList<>(requests.size());
        for (RecordUpdate request : requests) {
            Collected one = new Collected(request, new CompletableFuture<>());
            handed.add(one.answer());
            if (isFirst(one)) {
                executor.execute(this::send);
            }
        }
        return handed;
    }

    /** Returns the thread of the caller, which waits. */
    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.of(Runnable::run);
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
