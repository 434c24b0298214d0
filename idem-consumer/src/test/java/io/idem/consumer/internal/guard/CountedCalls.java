package io.idem.consumer.internal.guard;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the calls that travel to a store, which answers settles after the time of a round trip. */
public final class CountedCalls extends StoreDecorator {

    private static final Executor LATER = CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS);

    private final AtomicInteger acquires = new AtomicInteger();
    private final AtomicInteger settles = new AtomicInteger();
    private final AtomicInteger settlements = new AtomicInteger();

    public CountedCalls(IdempotencyStore store) {
        super(store);
    }

    public int acquires() {
        return acquires.get();
    }

    public int settles() {
        return settles.get();
    }

    public int settlements() {
        return settlements.get();
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        acquires.incrementAndGet();
        return super.acquire(requests);
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        settles.incrementAndGet();
        settlements.addAndGet(updates.size());
        return super.update(updates).stream().map(CountedCalls::later).toList();
    }

    private static CompletionStage<StoreAnswer> later(CompletionStage<StoreAnswer> settled) {
        CompletableFuture<StoreAnswer> later = new CompletableFuture<>();
        LATER.execute(() -> Stages.copy(settled, later));
        return later;
    }
}
