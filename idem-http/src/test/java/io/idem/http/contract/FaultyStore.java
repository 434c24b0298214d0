package io.idem.http.contract;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The in-memory store on a clock that can be moved, with faults to order. Each fault is used once. */
public final class FaultyStore extends PerRequestStore {

    private final AtomicReference<Duration> offset;
    private final AtomicReference<@Nullable RuntimeException> onAcquire = new AtomicReference<>();
    private final AtomicReference<@Nullable Function<Lease, StoreAnswer>> onComplete = new AtomicReference<>();
    private final ConcurrentHashMap<IdempotencyKey, AtomicInteger> acquires = new ConcurrentHashMap<>();
    private volatile boolean silentOnComplete;

    public FaultyStore() {
        this(new AtomicReference<>(Duration.ZERO));
    }

    private FaultyStore(AtomicReference<Duration> offset) {
        super(new InMemoryIdempotencyStore((InstantSource) () -> Instant.now().plus(offset.get())));
        this.offset = offset;
    }

    public static StoreUnavailableException silence() {
        return new StoreUnavailableException(
                "no answer",
                StoreUnavailableException.Execution.UNKNOWN,
                new IllegalStateException("ordered by a test"));
    }

    public void failNextAcquire(RuntimeException failure) {
        onAcquire.set(failure);
    }

    /** What the next complete answers instead of completing; it may throw. */
    public void answerNextComplete(Function<Lease, StoreAnswer> answer) {
        onComplete.set(answer);
    }

    public void silentOnComplete(boolean silent) {
        silentOnComplete = silent;
    }

    public void advance(Duration by) {
        offset.accumulateAndGet(by, Duration::plus);
    }

    /** How often a key was asked for, to take it or to read its record. */
    public int acquires(IdempotencyKey key) {
        AtomicInteger count = acquires.get(key);
        return count == null ? 0 : count.get();
    }

    /** The keys that were asked for. */
    public Set<IdempotencyKey> asked() {
        return Set.copyOf(acquires.keySet());
    }

    /** The store without its faults. */
    public IdempotencyStore healthy() {
        return delegate();
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        acquires.computeIfAbsent(request.record().key(), unused -> new AtomicInteger())
                .incrementAndGet();
        RuntimeException failure = onAcquire.getAndSet(null);
        if (failure != null) {
            throw failure;
        }
        return super.acquire(request);
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        acquires.computeIfAbsent(record.key(), unused -> new AtomicInteger()).incrementAndGet();
        return super.inspect(record);
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        Function<Lease, StoreAnswer> answer = onComplete.getAndSet(null);
        if (answer != null) {
            return answer.apply(lease);
        }
        if (silentOnComplete) {
            throw silence();
        }
        return super.complete(lease, result);
    }
}
