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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Lane of a thread that waits for many answers and continues each itself, while the store may still work on the next.
 * Updates are collected until the thread has nothing else to do, and are then sent together.
 */
final class BatchLane implements Lane {

    private final RecordStore store;
    private final Executor caller;
    private final BlockingQueue<Collected> collected = new LinkedBlockingQueue<>();

    /**
     * Creates a lane.
     *
     * @param store a store, which is called on its own threads if it blocks
     * @param caller runs tasks on the waiting thread
     */
    BatchLane(RecordStore store, Executor caller) {
        this.store = OnThreads.around(store);
        this.caller = caller;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return awaited(store.acquire(requests));
    }

    @Override
    public CompletionStage<StoreAnswer> update(RecordUpdate update) {
        Collected one = new Collected(update, new CompletableFuture<>());
        collected.add(one);
        caller.execute(this::send);
        return one.answer();
    }

    /** Sends what is collected; the first task does so for all of them. */
    private void send() {
        List<Collected> together = new ArrayList<>();
        if (collected.drainTo(together) == 0) {
            return;
        }
        List<CompletionStage<StoreAnswer>> answers = awaited(Stages.started(
                together.size(),
                () -> store.update(together.stream().map(Collected::request).toList())));
        for (int i = 0; i < together.size(); i++) {
            Stages.copy(answers.get(i), together.get(i).answer());
        }
    }

    @Override
    public CompletionStage<Optional<Throwable>> confirmed(ConfirmationBarrier barrier, Duration budget) {
        return barrier.awaitAsync(budget, caller);
    }

    /** Returns a list that waits for each answer when it is taken from the list. */
    private static <A> List<CompletionStage<A>> awaited(List<CompletionStage<A>> answers) {
        return new AbstractList<>() {
            @Override
            public CompletionStage<A> get(int position) {
                CompletionStage<A> answer = answers.get(position);
                try {
                    var unused = answer.toCompletableFuture().join();
                } catch (CompletionException | CancellationException failed) {
                    // The failure is handled by those who continue the stage.
                }
                return answer;
            }

            @Override
            public int size() {
                return answers.size();
            }
        };
    }

    private record Collected(RecordUpdate request, CompletableFuture<StoreAnswer> answer) {}
}
