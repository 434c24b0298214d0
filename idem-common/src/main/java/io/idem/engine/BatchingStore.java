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
 * The store as a thread asks it that waits for many answers and does itself what follows from each, while the store may still
 * be at work on the next. What is to be settled is collected until the thread has nothing else to do, and then goes to the
 * store together. Thread-safe.
 */
final class BatchingStore implements RecordStore {

    private final RecordStore store;
    private final Executor executor;
    private List<Collected> collected = new ArrayList<>();

    /** A store whose answers are continued on one executor. */
    BatchingStore(RecordStore store, Executor executor) {
        this.store = store;
        this.executor = executor;
    }

    /** Each answer is waited for when it is taken from the list. */
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

    /** The thread of the caller, which waits. */
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

    /** Stages that are complete when they are asked for. */
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
                // What the stage ended with is for those who continue it.
            }
            return stage;
        }

        @Override
        public int size() {
            return stages.size();
        }
    }
}
