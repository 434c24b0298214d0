package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.spi.RecordStore;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lane in which no thread waits. It goes on in threads for steps that may take time, so that code of users never blocks the threads of a store's
 * client. Tasks that the threads refuse, or fail to take, run on the thread that brought them: an effect must be recorded
 * also while an application stops, and a caller would otherwise wait for ever. A grant is given back instead.
 *
 * @param store never blocks its caller
 */
record WorkersLane(RecordStore store, Executor threads) implements Lane, Executor {

    private static final Logger LOG = LoggerFactory.getLogger(WorkersLane.class);

    WorkersLane {
        store = OnThreads.around(store);
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        List<CompletionStage<Claim>> handed = new ArrayList<>(requests.size());
        for (CompletionStage<Claim> answer : Stages.started(requests.size(), () -> store.acquire(requests))) {
            CompletableFuture<Claim> claim = new CompletableFuture<>();
            handed.add(claim);
            Stages.whenComplete(answer, (given, failure) -> {
                Once handover = new Once(() -> Stages.copy(answer, claim), new AtomicBoolean());
                try {
                    threads.execute(handover);
                } catch (Throwable refused) {
                    if (handover.begun().compareAndSet(false, true)) {
                        giveBack(given);
                        claim.completeExceptionally(failure == null ? refused : failure);
                    }
                }
            });
        }
        return handed;
    }

    /**
     * Releases a grant. A takeover is not released, because the next grant would look like a retry after a known
     * failure; its lease expires.
     */
    private void giveBack(Claim unwanted) {
        if (unwanted instanceof Claim.Granted granted && !granted.isTakeover()) {
            var unused = Stages.started(
                    1, () -> store.update(List.of(new RecordUpdate.Fail(granted.lease(), Duration.ZERO))));
        }
    }

    @Override
    public CompletionStage<StoreAnswer> update(RecordUpdate update) {
        return continued(Stages.started(() -> store.update(List.of(update)).get(0)));
    }

    @Override
    public CompletionStage<Optional<Throwable>> confirmed(ConfirmationBarrier barrier, Duration budget) {
        return barrier.awaitAsync(budget, this);
    }

    @Override
    public <V> CompletionStage<V> start(Supplier<CompletionStage<V>> part) {
        CompletableFuture<V> handed = new CompletableFuture<>();
        execute(() -> Stages.copy(Stages.started(part), handed));
        return handed;
    }

    @Override
    public <V> CompletionStage<V> continued(CompletionStage<V> stage) {
        CompletableFuture<V> handed = new CompletableFuture<>();
        Stages.whenComplete(stage, (value, failure) -> execute(() -> Stages.copy(stage, handed)));
        return handed;
    }

    @Override
    public void execute(Runnable task) {
        Once once = new Once(task, new AtomicBoolean());
        try {
            threads.execute(once);
        } catch (RejectedExecutionException refused) {
            once.run();
        } catch (Throwable failed) {
            LOG.error(
                    "The executor {} failed to take a task, which runs on the thread that brought it", threads, failed);
            once.run();
        }
    }

    /** Task that runs once: an executor may run it and throw its exception, or throw after it took the task. */
    private record Once(Runnable task, AtomicBoolean begun) implements Runnable {

        @Override
        public void run() {
            if (begun.compareAndSet(false, true)) {
                task.run();
            }
        }
    }
}
