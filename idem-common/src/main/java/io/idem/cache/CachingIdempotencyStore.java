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
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Answers acquires of COMPLETED records from memory, for {@link CacheSettings#ttl()} after they were read. All other
 * answers come from the store, as do those to a fingerprint that was not compared with the record yet.
 *
 * <p>A reopening or erasure through this object is noticed at once. One by another process is noticed when the entry
 * expires; until then duplicates get the old answer. The same holds for the end of a record's retention. An answer that
 * was read before a reopening or erasure is not kept after it: a reader takes a ticket before it asks the store, and each
 * reopening or erasure invalidates all earlier tickets. Thread-safe; blocks as its store does.
 */
public final class CachingIdempotencyStore extends StoreDecorator {

    private final Cache<RecordId, Settled> entries;
    private final Duration ttl;
    private final MonotonicClock clock;
    private final AtomicLong reversals = new AtomicLong();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    /** Creates a cache in front of a store. */
    public CachingIdempotencyStore(IdempotencyStore store, CacheSettings settings) {
        this(store, settings, MonotonicClock.SYSTEM);
    }

    /** Creates a cache with another clock, for tests that let entries expire. */
    public CachingIdempotencyStore(IdempotencyStore store, CacheSettings settings, MonotonicClock clock) {
        super(store);
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

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return KnownClaims.orElse(requests, this::known, this::ask);
    }

    private Optional<Claim> known(AcquireRequest request) {
        Optional<Claim> known = Optional.ofNullable(entries.getIfPresent(request.record()))
                .filter(settled -> settled.answers(request))
                .<Claim>map(Settled::claim);
        (known.isPresent() ? hits : misses).increment();
        return known;
    }

    private List<CompletionStage<Claim>> ask(List<AcquireRequest> requests) {
        Ticket ticket = ticket();
        return learning(requests, delegate().acquire(requests), (request, claim) -> learn(ticket, request, claim));
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        Ticket ticket = ticket();
        return learning(updates, delegate().update(updates), (update, answer) -> learn(ticket, update, answer));
    }

    /** Returns the answers after they were passed to {@code learn}. */
    private static <Q, A> List<CompletionStage<A>> learning(
            List<Q> requests, List<CompletionStage<A>> answers, BiConsumer<Q, A> learn) {
        return IntStream.range(0, requests.size())
                .<CompletionStage<A>>mapToObj(i -> Stages.mapRequest(answers.get(i), answer -> {
                    learn.accept(requests.get(i), answer);
                    return answer;
                }))
                .toList();
    }

    /** Returns a ticket; call before the store is asked. */
    private Ticket ticket() {
        return new Ticket(reversals.get(), clock.nanoTime());
    }

    /**
     * Applies the answer to an acquire: keeps it if the work was completed, else removes the entry of the record.
     * Rejections are not kept: a client's retry may reopen the record and publish at once, and must not be refused from
     * memory.
     */
    private void learn(Ticket ticket, AcquireRequest request, Claim claim) {
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
    private void learn(Ticket ticket, RecordUpdate update, StoreAnswer answer) {
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

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        return forgetting(record, () -> super.reopen(record, expectedFence, retention));
    }

    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        return forgetting(record, () -> super.force(record, expectedFence, end, retention));
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        return forgetting(record, () -> super.erase(record));
    }

    /** Removes the entry of a record after the store was told to change it, whatever the store answered. */
    private StoreAnswer forgetting(RecordId record, Supplier<StoreAnswer> act) {
        try {
            return act.get();
        } finally {
            reversals.incrementAndGet();
            entries.invalidate(record);
        }
    }

    /** Returns the number of acquires that were answered from memory. */
    public long hits() {
        return hits.sum();
    }

    /** Returns the number of acquires that were passed on to the store. */
    public long misses() {
        return misses.sum();
    }

    /** The time of a question to the store: the number of reopenings and erasures so far, and the clock. */
    private record Ticket(long reversals, long takenAt) {}
}
