package io.idem.spi;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoreAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Decorator that forwards every call to another store, for stores that change some of the calls. */
public abstract class StoreDecorator implements IdempotencyStore {

    private final IdempotencyStore store;

    /** Wraps {@code store}; closing closes it too. */
    protected StoreDecorator(IdempotencyStore store) {
        this.store = store;
    }

    /** Returns the store that calls are forwarded to. */
    protected final IdempotencyStore delegate() {
        return store;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return store.acquire(requests);
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return store.update(updates);
    }

    @Override
    public void check() {
        store.check();
    }

    @Override
    public Optional<Executor> blockingThreads() {
        return store.blockingThreads();
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        return store.reopen(record, expectedFence, retention);
    }

    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        return store.force(record, expectedFence, end, retention);
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        return store.erase(record);
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        return store.inspect(record);
    }

    @Override
    public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
        return store.inspectAll(key);
    }

    @Override
    public RememberedSteps steps(RecordId record) {
        return store.steps(record);
    }

    @Override
    public void announce(Scope scope) {
        store.announce(scope);
    }

    @Override
    public void close() {
        store.close();
    }
}
