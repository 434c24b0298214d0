package io.idem.cache;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.InOrder;
import io.idem.spi.SettledRecordCache;
import io.idem.spi.SettledRecords;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * A store that holds the truth, with a cache that answers duplicates of settled work. Every grant and every write goes
 * to the store; PENDING and FAILED records never reach the cache. A cache that is unreachable or loses entries costs
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

    private final SettledRecords truth;
    private final SettledRecordCache cache;
    private final Duration copyLife;
    private final Executor threads;

    /**
     * Creates a store.
     *
     * @param truth the store that holds the truth, closed with this one
     * @param cache the cache, closed with this store
     * @param copyLife the longest life of a copy
     * @param threads run the calls of callers that must not block: the cache blocks a thread for each call
     * @throws IllegalArgumentException if the longest life of copies is less than a second
     */
    public <S extends IdempotencyStore & SettledRecords> ReadThroughIdempotencyStore(
            S truth, SettledRecordCache cache, Duration copyLife, Executor threads) {
        super(truth);
        if (copyLife.toSeconds() < 1) {
            throw new IllegalArgumentException("copyLife " + copyLife + " is shorter than a second");
        }
        this.truth = truth;
        this.cache = cache;
        this.copyLife = copyLife;
        this.threads = threads;
    }

    /** Returns the threads that the store was given. */
    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.of(threads);
    }

    /** Sends what the cache does not answer in one call, and waits for the answers. */
    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return InOrder.send(
                requests, AcquireRequest::record, distinct -> Stages.started(distinct.size(), () -> claims(distinct)));
    }

    private List<CompletionStage<Claim>> claims(List<AcquireRequest> requests) {
        Map<AcquireRequest, Claim> known = new HashMap<>();
        for (AcquireRequest request : requests) {
            cache.find(request.record()).ifPresent(copy -> known.put(request, answer(copy, request)));
        }
        List<AcquireRequest> unknown =
                requests.stream().filter(request -> !known.containsKey(request)).toList();
        Iterator<CompletionStage<Claim>> asked =
                waited(delegate().acquire(unknown)).iterator();
        return requests.stream()
                .map(request -> {
                    Claim copy = known.get(request);
                    return copy != null
                            ? CompletableFuture.completedFuture(copy)
                            : Stages.map(asked.next(), claim -> offered(request.record(), claim));
                })
                .<CompletionStage<Claim>>map(Function.identity())
                .toList();
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return waited(super.update(updates));
    }

    /** Waits for the ends of all stages: callers of a store that blocks find every stage complete. */
    private static <T> List<CompletionStage<T>> waited(List<CompletionStage<T>> stages) {
        return Stages.join(Stages.all(stages));
    }

    private static Claim answer(RecordSnapshot settled, AcquireRequest request) {
        if (!request.fingerprint().matches(settled.fingerprint())) {
            return new Claim.Mismatch();
        }
        return settled.state() == RecordState.COMPLETED
                ? new Claim.Replay(settled.result(), settled.fence())
                : new Claim.Rejected(settled.reason(), settled.fence());
    }

    private Claim offered(RecordId record, Claim claim) {
        if (claim instanceof Claim.Replay || claim instanceof Claim.Rejected) {
            offer(record);
        }
        return claim;
    }

    /** Offers a copy whose life is counted from before the truth was read, so that it ends before the record does. */
    private void offer(RecordId record) {
        long asked = System.nanoTime();
        Optional<SettledRecords.Settled> settled = truth.settled(record);
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
        return super.reopen(record, expectedFence, retention);
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        inspect(record).ifPresent(known -> withdraw(record, known.fence()));
        return super.erase(record);
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
