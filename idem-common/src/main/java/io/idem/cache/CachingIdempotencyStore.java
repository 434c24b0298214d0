package io.idem.cache;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Lease;
import io.idem.MonotonicClock;
import io.idem.RecordId;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.AsyncIdempotencyStore;
import io.idem.spi.ForcedEnd;
import io.idem.spi.ForwardingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.Optional;

/**
 * Answers acquires of COMPLETED records from memory, for as long as {@link CacheSettings#ttl()} after they were read. All other answers come
 * from the store, as do those to a fingerprint that was not checked against the record yet.
 *
 * <p>A reopen or an erasure through this object is noticed at once. One by another process is noticed when the entry's time has passed:
 * until then duplicates get the old answer. The same holds for the end of a record's retention. Thread-safe; blocks as its store does.
 */
public final class CachingIdempotencyStore extends ForwardingIdempotencyStore {

    private final SettledRecordEntries records;

    /** A cache in front of a store. */
    public CachingIdempotencyStore(IdempotencyStore store, CacheSettings settings) {
        this(store, settings, MonotonicClock.SYSTEM);
    }

    /** The same with a clock of one's own, for tests that let entries expire. */
    public CachingIdempotencyStore(IdempotencyStore store, CacheSettings settings, MonotonicClock clock) {
        super(store);
        this.records = new SettledRecordEntries(settings, clock);
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        Optional<Claim> known = records.answer(request);
        if (known.isPresent()) {
            return known.get();
        }
        SettledRecordEntries.Ticket ticket = records.ticket();
        Claim claim = delegate().acquire(request);
        records.learn(ticket, request, claim);
        return claim;
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        SettledRecordEntries.Ticket ticket = records.ticket();
        StoreAnswer answer = super.complete(lease, result);
        records.learn(ticket, lease, answer);
        return answer;
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        try {
            return super.reopen(record, expectedFence, retention);
        } finally {
            records.forget(record);
        }
    }

    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        try {
            return super.force(record, expectedFence, end, retention);
        } finally {
            records.forget(record);
        }
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        try {
            return super.erase(record);
        } finally {
            records.forget(record);
        }
    }

    /** How many acquires were answered from memory. */
    public long hits() {
        return records.hits();
    }

    /** How many acquires the store was asked for. */
    public long misses() {
        return records.misses();
    }

    @Override
    public AsyncIdempotencyStore async() {
        return new CachingAsyncStore(delegate().async(), records);
    }
}
