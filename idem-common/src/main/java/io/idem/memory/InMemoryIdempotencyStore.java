package io.idem.memory;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.internal.record.Decision;
import io.idem.internal.record.RecordRules;
import io.idem.internal.record.SeenRecord;
import io.idem.internal.record.StoredRecord;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Stages;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The reference implementation of a store, in the memory of one process. Records live as long as this object: for
 * tests, and for single-process programs that accept that. Thread-safe: every transition holds one lock. Expired
 * records are removed when they are next accessed.
 */
public final class InMemoryIdempotencyStore implements IdempotencyStore {

    private final InstantSource clock;
    private final Map<RecordId, SeenRecord> records = new HashMap<>();
    private final TreeSet<String> scopes = new TreeSet<>();

    /** Creates a store on the system's clock. */
    public InMemoryIdempotencyStore() {
        this(InstantSource.system());
    }

    /** Creates a store on a given clock, which a test can move. */
    public InMemoryIdempotencyStore(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return Stages.each(
                requests,
                request -> decided(request.record(), (found, now) -> RecordRules.acquire(found, request, now)));
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return Stages.each(
                updates, update -> decided(update.lease().record(), (found, now) -> RecordRules.update(found, update)));
    }

    /** Returns an empty value: this store never blocks its caller. */
    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.empty();
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        return decided(record, (found, now) -> RecordRules.reopen(found, expectedFence, retention, now));
    }

    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        return decided(record, (found, now) -> RecordRules.force(found, expectedFence, end, retention));
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        return decided(record, (found, now) -> RecordRules.erase(found));
    }

    private synchronized <A> A decided(RecordId record, Rule<A> rule) {
        long now = clock.millis();
        Decision<A> decision = rule.decide(live(record, now), now);
        StoredRecord next = decision.next();
        if (next != null) {
            records.put(record, new SeenRecord(next, now, 0));
        }
        return decision.answer().apply(now);
    }

    private @Nullable SeenRecord live(RecordId record, long now) {
        return records.computeIfPresent(record, (same, found) -> found.isLive(now) ? found : null);
    }

    @Override
    public synchronized Optional<RecordSnapshot> inspect(RecordId record) {
        return Optional.ofNullable(live(record, clock.millis())).map(found -> found.snapshot(record.scope()));
    }

    @Override
    public synchronized List<RecordSnapshot> inspectAll(IdempotencyKey key) {
        return scopes.stream()
                .map(scope -> inspect(new RecordId(key, new Scope(scope))))
                .flatMap(Optional::stream)
                .toList();
    }

    /** Returns the keys that have a record in a scope. */
    public synchronized List<IdempotencyKey> keys(Scope scope) {
        return records.keySet().stream()
                .filter(record -> record.scope().equals(scope))
                .map(RecordId::key)
                .toList();
    }

    @Override
    public synchronized RememberedSteps steps(RecordId record) {
        SeenRecord found = live(record, clock.millis());
        return found == null ? RememberedSteps.NONE : found.stored().steps();
    }

    @Override
    public synchronized void announce(Scope scope) {
        scopes.add(scope.name());
    }

    /** Removes all records, for the next test; announced scopes stay announced. */
    public synchronized void clear() {
        records.clear();
    }

    /** Does nothing, because the store holds no resources. */
    @Override
    public void close() {}

    @FunctionalInterface
    private interface Rule<A> {
        Decision<A> decide(@Nullable SeenRecord live, long now);
    }
}
