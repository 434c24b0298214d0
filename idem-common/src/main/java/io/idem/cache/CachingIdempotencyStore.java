package io.idem.cache;

import io.idem.AcquireRequest;
import io.idem.Claim;
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
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Answers acquires of COMPLETED records from memory, for {@link CacheSettings#ttl()} after they were read. All other
 * answers come from the store, as do those to a fingerprint that was not compared with the record yet.
 *
 * <p>A reopening or erasure through this object is noticed at once. One by another process is noticed when the entry
 * expires; until then duplicates get the old answer. The same holds for the end of a record's retention. Thread-safe;
 * blocks as its store does.
 */
public final class CachingIdempotencyStore extends StoreDecorator {

    private final SettledRecordEntries records;

    /** Creates a cache in front of a store. */
    public CachingIdempotencyStore(IdempotencyStore store, CacheSettings settings) {
        this(store, settings, MonotonicClock.SYSTEM);
    }

    /** Creates a cache with another clock, for tests that let entries expire. */
    public CachingIdempotencyStore(IdempotencyStore store, CacheSettings settings, MonotonicClock clock) {
        super(store);
        this.records = new SettledRecordEntries(settings, clock);
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return KnownClaims.orElse(requests, records::answer, this::ask);
    }

    private List<CompletionStage<Claim>> ask(List<AcquireRequest> requests) {
        SettledRecordEntries.Ticket ticket = records.ticket();
        return learning(
                requests, delegate().acquire(requests), (request, claim) -> records.learn(ticket, request, claim));
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        SettledRecordEntries.Ticket ticket = records.ticket();
        return learning(updates, delegate().update(updates), (update, answer) -> records.learn(ticket, update, answer));
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

    private StoreAnswer forgetting(RecordId record, Supplier<StoreAnswer> act) {
        try {
            return act.get();
        } finally {
            records.forget(record);
        }
    }

    /** Returns the number of acquires that were answered from memory. */
    public long hits() {
        return records.hits();
    }

    /** Returns the number of acquires that were passed on to the store. */
    public long misses() {
        return records.misses();
    }
}
