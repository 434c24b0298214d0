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
 * PostgreSQL as the truth with a cache that answers duplicates of settled work. Every grant and every write goes to PostgreSQL;
 * PENDING and FAILED records never reach the cache. A cache that is away or forgets costs time, never a wrong answer.
 * Thread-safe; blocks.
 *
 * <p>Settled records change in two ways only. Their retention ends: a copy ends before it. They are reopened: the copy is
 * withdrawn first, and a reopening whose withdrawal the cache does not confirm is refused, with nothing changed. Should the
 * cache itself afterwards lose what it confirmed and bring an older copy back, as a failover can, that copy lives no longer than
 * the copies' longest life.
 */
public final class ReadThroughIdempotencyStore extends StoreDecorator {

    /** Long beside the minutes in which most duplicates come, short for an operator who waits. */
    public static final Duration DEFAULT_COPY_LIFE = Duration.ofMinutes(5);

    /** Room for a copy that arrives late in the cache. */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    private final PostgresIdempotencyStore truth;
    private final SettledRecordCache cache;
    private final Duration copyLife;

    /**
     * A store.
     *
     * @param truth is closed with it
     * @param cache is closed with it
     * @param copyLife longest life of a copy
     * @throws IllegalArgumentException if copies would live for less than a second
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

    /** Counts the copy's life from before the truth was asked: so it ends before the record does. */
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

    /** A slow reader may still offer what it read before, for as long as a copy may live; that copy lives as long again. */
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
