package io.idem.jdbc.store;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import io.idem.spi.SettledRecordCache;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A store on PostgreSQL with a cache that answers duplicates of settled work. Every grant and every write goes to
 * PostgreSQL; PENDING and FAILED records never reach the cache. A cache that is unreachable or loses entries costs
 * time, never a wrong answer. Thread-safe; blocks.
 *
 * <p>Settled records change in two ways only. At the end of their retention; a copy ends before it. By a reopening; the
 * copy is withdrawn first, and a reopening whose withdrawal the cache does not confirm is refused, with nothing
 * changed. If the cache afterwards loses what it confirmed and restores an older copy, as a failover can, that copy
 * lasts no longer than the longest life of copies.
 */
public final class ReadThroughIdempotencyStore extends StoreDecorator {

    /**
     * The default longest life of a copy, five minutes: longer than most duplicates take to come, short for an operator
     * who waits.
     */
    public static final Duration DEFAULT_COPY_LIFE = Duration.ofMinutes(5);

    /** The time by which a copy may arrive late in the cache. */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    private final PostgresIdempotencyStore truth;
    private final SettledRecordCache cache;
    private final Duration copyLife;

    /**
     * Creates a store.
     *
     * @param truth the store on PostgreSQL, closed with this one
     * @param cache the cache, closed with this store
     * @param copyLife the longest life of a copy
     * @throws IllegalArgumentException if the longest life of copies is less than a second
     */
    public ReadThroughIdempotencyStore(PostgresIdempotencyStore truth, SettledRecordCache cache, Duration copyLife) {
        super(truth);
        if (copyLife.toSeconds() < 1) {
            throw new IllegalArgumentException("copyLife " + copyLife + " is shorter than a second");
        }
        this.truth = truth;
        this.cache = cache;
        this.copyLife = copyLife;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return Stages.each(requests, this::claim);
    }

    private Claim claim(AcquireRequest request) {
        Optional<Claim> known = cache.find(request.record()).map(copy -> answer(copy, request));
        return known.orElseGet(() -> acquireOfTruth(request));
    }

    private static Claim answer(RecordSnapshot settled, AcquireRequest request) {
        if (!request.fingerprint().matches(settled.fingerprint())) {
            return new Claim.Mismatch();
        }
        return settled.state() == RecordState.COMPLETED
                ? new Claim.Replay(settled.result(), settled.fence())
                : new Claim.Rejected(settled.reason(), settled.fence());
    }

    private Claim acquireOfTruth(AcquireRequest request) {
        Claim claim = truth.acquire(request);
        if (claim instanceof Claim.Replay || claim instanceof Claim.Rejected) {
            offer(request.record());
        }
        return claim;
    }

    /** Offers a copy whose life is counted from before PostgreSQL was read, so that it ends before the record does. */
    private void offer(RecordId record) {
        long asked = System.nanoTime();
        Optional<RecordRow> settled = truth.read(record).filter(RecordRow::settled);
        if (settled.isEmpty()) {
            return;
        }
        Duration elapsed = Duration.ofNanos(System.nanoTime() - asked);
        Duration kept = settled.get().kept().minus(elapsed).minus(MARGIN);
        Duration atMost = kept.compareTo(copyLife) < 0 ? kept : copyLife;
        if (atMost.toMillis() > 0 && elapsed.compareTo(copyLife) < 0) {
            cache.offer(record, settled.get().snapshot(), atMost);
        }
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        withdraw(record, expectedFence);
        return truth.reopen(record, expectedFence, retention);
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        truth.inspect(record).ifPresent(known -> withdraw(record, known.fence()));
        return truth.erase(record);
    }

    /**
     * Withdraws copies for twice their longest life: a slow reader may offer an older copy for one such time, and that
     * copy lasts another.
     */
    private void withdraw(RecordId record, long fence) {
        cache.withdraw(record, fence, copyLife.multipliedBy(2).plus(MARGIN));
    }

    @Override
    public void close() {
        try (cache) {
            super.close();
        }
    }
}
