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
 * The keys that this process was last told another owner is at, and for how long it has been told so: what can be known about stuck
 * records without looking through the store. A key that nobody asks for any more is forgotten after as long as it takes to count as
 * stale; of more than {@value #MOST} keys at once the later ones are not seen. Thread-safe; never blocks.
 */
public final class DeferredKeys implements IdempotencyEventListener {

    /** More keys are not kept. */
    public static final int MOST = 10_000;

    private final Duration staleAfter;
    private final MonotonicClock clock;
    private final Map<RecordId, Wait> waits = new ConcurrentHashMap<>();

    /**
     * Nothing waits yet.
     *
     * @param staleAfter after how long a wait counts as stale
     */
    public DeferredKeys(Duration staleAfter, MonotonicClock clock) {
        this.staleAfter = staleAfter;
        this.clock = clock;
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

    /** Those of a scope that wait still. */
    public Stream<DeferredKey> waiting(Scope scope) {
        forget();
        return waits.entrySet().stream()
                .filter(entry -> entry.getKey().scope().equals(scope))
                .map(entry -> new DeferredKey(entry.getKey(), entry.getValue().lasted()));
    }

    /** How many of them have waited for too long. */
    public long stale(Scope scope) {
        return waiting(scope).filter(this::isStale).count();
    }

    /** How long the one has waited that has waited longest; zero if none waits. */
    public Duration oldest(Scope scope) {
        return waiting(scope).map(DeferredKey::waited).max(Duration::compareTo).orElse(Duration.ZERO);
    }

    private void forget() {
        long now = clock.nanoTime();
        waits.values().removeIf(wait -> now - wait.last() > staleAfter.toNanos());
    }

    /**
     * A key that waits for another owner.
     *
     * @param waited from the first time that this process was told so until the last
     */
    public record DeferredKey(RecordId record, Duration waited) {}

    /** Whether a wait counts as stale. */
    public boolean isStale(DeferredKey key) {
        return key.waited().compareTo(staleAfter) >= 0;
    }

    private record Wait(long since, long last) {

        Duration lasted() {
            return Duration.ofNanos(last - since);
        }
    }
}
