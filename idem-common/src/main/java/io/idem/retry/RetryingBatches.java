package io.idem.retry;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.spi.AsyncIdempotencyStore;
import io.idem.spi.InOrder;
import io.idem.spi.Stages;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Repeats what failed of a batch, on a thread of its own between the tries: nobody waits. */
final class RetryingBatches implements AsyncIdempotencyStore, AutoCloseable {

    private final Supplier<AsyncIdempotencyStore> store;
    private final RetryConfig pauses;
    private final Supplier<BooleanSupplier> budget;
    private final ScheduledExecutorService scheduler = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "idem-retry");
        thread.setDaemon(true);
        return thread;
    });
    private final Set<RepeatedBatch<?, ?>> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Batches of {@code store}; {@code budget} starts a fresh one for each. */
    RetryingBatches(Supplier<AsyncIdempotencyStore> store, RetryConfig pauses, Supplier<BooleanSupplier> budget) {
        this.store = store;
        this.pauses = pauses;
        this.budget = budget;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return InOrder.send(
                requests,
                AcquireRequest::record,
                distinct -> repeated(distinct, request -> true, store.get()::acquire));
    }

    @Override
    public List<CompletionStage<StoreAnswer>> settle(List<RecordUpdate> requests) {
        return InOrder.send(
                requests,
                request -> request.lease().record(),
                distinct ->
                        repeated(distinct, request -> !(request instanceof RecordUpdate.Renew), store.get()::settle));
    }

    private <Q, A> List<CompletionStage<A>> repeated(
            List<Q> requests, Predicate<Q> repeatable, Function<List<Q>, List<CompletionStage<A>>> send) {
        RepeatedBatch<Q, A> batch = new RepeatedBatch<>(requests, repeatable, send);
        BooleanSupplier withinBudget = budget.get();
        Retry retry = Retry.of(
                Repetition.NAME,
                RetryConfig.from(pauses)
                        .retryOnException(failure ->
                                failure instanceof StoreUnavailableException && !closed && withinBudget.getAsBoolean())
                        .build());
        open.add(batch);
        Stages.whenComplete(retry.executeCompletionStage(scheduler, batch::send), (answered, failure) -> {
            batch.giveUp();
            open.remove(batch);
        });
        return batch.answers();
    }

    /** Ends what waits for its next try. */
    @Override
    public void close() {
        closed = true;
        scheduler.shutdownNow();
        open.forEach(RepeatedBatch::giveUp);
    }
}
