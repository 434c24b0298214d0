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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

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

    /** Answers known records from memory and sends the other requests to the store, in one call. */
    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        List<Optional<Claim>> known = requests.stream().map(records::answer).toList();
        List<AcquireRequest> unknown = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            if (known.get(i).isEmpty()) {
                unknown.add(requests.get(i));
            }
        }
        Iterator<CompletionStage<Claim>> asked = ask(unknown).iterator();
        return known.stream()
                .map(claim -> claim.<CompletionStage<Claim>>map(CompletableFuture::completedFuture)
                        .orElseGet(asked::next))
                .toList();
    }

    private List<CompletionStage<Claim>> ask(List<AcquireRequest> requests) {
        if (requests.isEmpty()) {
            return List.of();
        }
        SettledRecordEntries.Ticket ticket = records.ticket();
        List<CompletionStage<Claim>> answers = delegate().acquire(requests);
        List<CompletionStage<Claim>> learned = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            AcquireRequest request = requests.get(i);
            learned.add(first(answers.get(i), claim -> records.learn(ticket, request, claim)));
        }
        return learned;
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        SettledRecordEntries.Ticket ticket = records.ticket();
        List<CompletionStage<StoreAnswer>> answers = delegate().update(updates);
        List<CompletionStage<StoreAnswer>> learned = new ArrayList<>();
        for (int i = 0; i < updates.size(); i++) {
            learned.add(learning(ticket, updates.get(i), answers.get(i)));
        }
        return learned;
    }

    private CompletionStage<StoreAnswer> learning(
            SettledRecordEntries.Ticket ticket, RecordUpdate update, CompletionStage<StoreAnswer> answer) {
        return update instanceof RecordUpdate.Complete
                ? first(answer, given -> records.learn(ticket, update.lease(), given))
                : answer;
    }

    /** Returns the answer after it was passed to {@code use}. */
    private static <A> CompletionStage<A> first(CompletionStage<A> answer, Consumer<A> use) {
        return Stages.mapRequest(answer, value -> {
            use.accept(value);
            return value;
        });
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
