package io.idem.cache;

import static io.idem.internal.Durations.shorter;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.MonotonicClock;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The entries of the cache. An answer that was read before a reopening or erasure must not be kept after it: a reader
 * takes a ticket before it asks the store, and each reopening or erasure invalidates all earlier tickets. Thread-safe.
 */
final class SettledRecordEntries {

    private final Cache<RecordId, Settled> entries;
    private final Duration ttl;
    private final MonotonicClock clock;
    private final AtomicLong reversals = new AtomicLong();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    SettledRecordEntries(CacheSettings settings, MonotonicClock clock) {
        this.ttl = settings.ttl();
        this.clock = clock;
        this.entries = Caffeine.newBuilder()
                .maximumWeight(settings.maxWeight())
                .weigher((RecordId record, Settled settled) -> settled.weight())
                .expireAfter(Expiry.<RecordId, Settled>writing((record, settled) -> settled.lifetime()))
                .ticker(clock::nanoTime)
                // Eviction is cheap; the common pool may be busy with the application's work.
                .executor(Runnable::run)
                .build();
    }

    Optional<Claim> answer(AcquireRequest request) {
        Optional<Claim> known = Optional.ofNullable(entries.getIfPresent(request.record()))
                .filter(settled -> settled.answers(request))
                .<Claim>map(Settled::claim);
        (known.isPresent() ? hits : misses).increment();
        return known;
    }

    long hits() {
        return hits.sum();
    }

    long misses() {
        return misses.sum();
    }

    /** Returns a ticket; call before the store is asked. */
    Ticket ticket() {
        return new Ticket(reversals.get(), clock.nanoTime());
    }

    /**
     * Applies the answer to an acquire: keeps it if the work was completed, else removes the entry of the record.
     * Rejections are not kept: a client's retry may reopen the record and publish at once, and must not be refused from
     * memory.
     */
    void learn(Ticket ticket, AcquireRequest request, Claim claim) {
        if (claim instanceof Claim.Replay replay) {
            keep(ticket, request.record(), replay, request.fingerprint(), ttl);
        } else if (!(claim instanceof Claim.Mismatch)) {
            entries.invalidate(request.record());
        }
    }

    /**
     * Applies the answer to a complete: the record is kept for its retention from then on, and its fingerprint is not
     * known here. If the lease was lost, the entry of the record is removed. Other updates teach nothing.
     */
    void learn(Ticket ticket, RecordUpdate update, StoreAnswer answer) {
        if (!(update instanceof RecordUpdate.Complete)) {
            return;
        }
        Lease lease = update.lease();
        if (answer instanceof StoreAnswer.Ok ok) {
            Duration lifetime = shorter(ttl, lease.retention());
            keep(ticket, lease.record(), new Claim.Replay(ok.result(), lease.fence()), Fingerprint.NONE, lifetime);
        } else {
            entries.invalidate(lease.record());
        }
    }

    /**
     * Keeps an entry, atomically for its record: a concurrent reopening or erasure either sees the entry and removes
     * it, or is noticed here.
     */
    private void keep(Ticket ticket, RecordId record, Claim.Replay claim, Fingerprint fingerprint, Duration lifetime) {
        Duration left = lifetime.minusNanos(clock.nanoTime() - ticket.takenAt());
        if (left.isNegative() || left.isZero()) {
            return;
        }
        Settled settled = new Settled(claim, fingerprint, left);
        entries.asMap().compute(record, (same, old) -> reversals.get() == ticket.reversals() ? settled : old);
    }

    /** Removes the entry of a record, after the store was told to reopen or erase it, whatever the store answered. */
    void forget(RecordId record) {
        reversals.incrementAndGet();
        entries.invalidate(record);
    }

    /** The time of a question to the store: the number of reopenings and erasures so far, and the clock. */
    record Ticket(long reversals, long takenAt) {}
}
