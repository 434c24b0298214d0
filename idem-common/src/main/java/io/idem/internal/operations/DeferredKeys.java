package io.idem.internal.operations;

import io.idem.Claim;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyEventListener;
import io.idem.MonotonicClock;
import io.idem.RecordId;
import io.idem.Scope;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The keys whose work this process defers because another owner holds the lease, with the time since when: what can be
 * known about stuck records without reading the store. A key that is no longer asked for is forgotten after the time
 * from which it counts as stale. Beyond {@value #MOST} keys, further ones are ignored. Thread-safe; never blocks.
 */
public final class DeferredKeys implements IdempotencyEventListener {

    /** The largest number of keys. */
    public static final int MOST = 10_000;

    private final Duration staleAfter;
    private final MonotonicClock clock;
    private final Map<RecordId, Wait> waits = new ConcurrentHashMap<>();

    /** @param staleAfter the time after which a deferred key counts as stale */
    public DeferredKeys(Duration staleAfter, MonotonicClock clock) {
        this.staleAfter = staleAfter;
        this.clock = clock;
    }

    /** Keys whose waits count as stale after ten leases: an owner that lives renews its lease, and one that does not has lost it long before. */
    public static DeferredKeys staleAfterTenLeases(Duration lease, MonotonicClock clock) {
        return new DeferredKeys(lease.multipliedBy(10), clock);
    }

    @Override
    public void on(IdempotencyEvent event) {
        if (!(event instanceof IdempotencyEvent.Claimed claimed)) {
            return;
        }
        if (claimed.claim() instanceof Claim.InProgress) {
            waits(claimed.record());
        } else if (!waits.isEmpty()) {
            waits.remove(claimed.record());
        }
    }

    private void waits(RecordId record) {
        if (waits.size() >= MOST) {
            forget();
        }
        if (waits.size() < MOST || waits.containsKey(record)) {
            long now = clock.nanoTime();
            waits.merge(record, new Wait(now, now), (wait, again) -> new Wait(wait.since(), now));
        }
    }

    /** Returns the deferred keys of a scope. */
    public Stream<DeferredKey> waiting(Scope scope) {
        forget();
        return waits.entrySet().stream()
                .filter(entry -> entry.getKey().scope().equals(scope))
                .map(entry -> new DeferredKey(entry.getKey(), entry.getValue().lasted()));
    }

    /** Returns the number of stale keys of a scope. */
    public long stale(Scope scope) {
        return waiting(scope).filter(this::isStale).count();
    }

    /** Returns the longest time for which a key of a scope has been deferred; zero if there is none. */
    public Duration oldest(Scope scope) {
        return waiting(scope).map(DeferredKey::waited).max(Duration::compareTo).orElse(Duration.ZERO);
    }

    private void forget() {
        long now = clock.nanoTime();
        waits.values().removeIf(wait -> now - wait.last() > staleAfter.toNanos());
    }

    /**
     * A deferred key.
     *
     * @param record the record whose lease another owner holds
     * @param waited the time between the first and the last answer that said so
     */
    public record DeferredKey(RecordId record, Duration waited) {}

    /** Returns whether a deferred key counts as stale. */
    public boolean isStale(DeferredKey key) {
        return key.waited().compareTo(staleAfter) >= 0;
    }

    private record Wait(long since, long last) {

        Duration lasted() {
            return Duration.ofNanos(last - since);
        }
    }
}
