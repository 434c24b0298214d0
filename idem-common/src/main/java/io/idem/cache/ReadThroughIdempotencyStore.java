package io.idem.cache;

import static io.idem.internal.Durations.shorter;
import static io.idem.internal.value.Arguments.require;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordId;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.internal.DaemonThreads;
import io.idem.internal.record.RecordRules;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.InOrder;
import io.idem.spi.SettledRecordCache;
import io.idem.spi.SettledRecords;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store that holds the truth, with a cache that answers duplicates of settled work. Every grant and every write goes
 * to the store; PENDING and FAILED records never reach the cache. A cache that is unreachable or loses entries costs
 * time, never a wrong answer. Thread-safe; blocks as the store does.
 *
 * <p>Settled records change in three ways only. At the end of their retention; a copy ends before it. By a reopening;
 * the copy is withdrawn first, and a reopening whose withdrawal the cache does not confirm is refused, with nothing
 * changed. By an erasure, behind which the copy is withdrawn. If the cache afterwards loses what it confirmed and
 * restores an older copy, as a failover can, that copy lasts no longer than the longest life of copies.
 */
public final class ReadThroughIdempotencyStore extends StoreDecorator {

    /**
     * The default longest life of a copy, five minutes: longer than most duplicates take to come, short for an operator
     * who waits.
     */
    public static final Duration DEFAULT_COPY_LIFE = Duration.ofMinutes(5);

    /** The time by which a copy may arrive late in the cache. */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(ReadThroughIdempotencyStore.class);

    private final SettledRecords truth;
    private final SettledRecordCache cache;
    private final Duration copyLife;
    private final Executor threads;
    private final Executor offers;

    /**
     * Creates a store in front of one that blocks. The cache is asked by the thread that calls, and copies are made by
     * a thread of their own.
     *
     * @param truth the store that holds the truth, closed with this one
     * @param cache the cache, closed with this store
     * @param copyLife the longest life of a copy
     * @throws IllegalArgumentException if the longest life of copies is less than a second
     */
    public <S extends IdempotencyStore & SettledRecords> ReadThroughIdempotencyStore(
            S truth, SettledRecordCache cache, Duration copyLife) {
        this(truth, cache, copyLife, Runnable::run);
    }

    /**
     * Creates a store in front of one that does not block. Copies are made by a thread of their own.
     *
     * @param truth the store that holds the truth, closed with this one
     * @param cache the cache, closed with this store
     * @param copyLife the longest life of a copy
     * @param threads ask the cache, which blocks, and complete what it answers; if they refuse, the truth is asked alone
     * @throws IllegalArgumentException if the longest life of copies is less than a second
     */
    public <S extends IdempotencyStore & SettledRecords> ReadThroughIdempotencyStore(
            S truth, SettledRecordCache cache, Duration copyLife, Executor threads) {
        this(truth, cache, copyLife, threads, DaemonThreads.atMost(1, "idem-copies"));
    }

    /**
     * Creates a store that makes its copies on the given threads.
     *
     * @param truth the store that holds the truth, closed with this one
     * @param cache the cache, closed with this store
     * @param copyLife the longest life of a copy
     * @param threads ask the cache, which blocks, and complete what it answers; if they refuse, the truth is asked alone
     * @param offers make copies, which blocks; if they refuse, there is no copy
     * @throws IllegalArgumentException if the longest life of copies is less than a second
     */
    public <S extends IdempotencyStore & SettledRecords> ReadThroughIdempotencyStore(
            S truth, SettledRecordCache cache, Duration copyLife, Executor threads, Executor offers) {
        super(truth);
        require(copyLife.toSeconds() >= 1, "copyLife " + copyLife + " is shorter than a second");
        this.truth = truth;
        this.cache = cache;
        this.copyLife = copyLife;
        this.threads = threads;
        this.offers = offers;
    }

    /** Asks the truth, in one call, for what the cache does not answer. */
    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return InOrder.send(requests, AcquireRequest::record, this::claims);
    }

    private List<CompletionStage<Claim>> claims(List<AcquireRequest> requests) {
        CompletableFuture<List<CompletionStage<Claim>>> claims = new CompletableFuture<>();
        try {
            threads.execute(() -> claims.complete(KnownClaims.orElse(requests, this::copied, this::askTruth)));
        } catch (RejectedExecutionException busy) {
            claims.complete(askTruth(requests));
        }
        return IntStream.range(0, requests.size())
                .<CompletionStage<Claim>>mapToObj(i -> Stages.compose(claims, answers -> answers.get(i)))
                .toList();
    }

    /** Returns the answer that the copy of a record gives. */
    private Optional<Claim> copied(AcquireRequest request) {
        try {
            return cache.find(request.record())
                    .flatMap(copy -> RecordRules.refusal(copy, false, Duration.ZERO, request));
        } catch (RuntimeException broken) {
            LOG.warn("The cache failed to read the copy of {}, the store is asked instead", request.record(), broken);
            return Optional.empty();
        }
    }

    private List<CompletionStage<Claim>> askTruth(List<AcquireRequest> requests) {
        List<CompletionStage<Claim>> answers =
                Stages.started(requests.size(), () -> delegate().acquire(requests));
        for (int i = 0; i < requests.size(); i++) {
            RecordId record = requests.get(i).record();
            Stages.whenComplete(answers.get(i), (answer, failure) -> offerIfSettled(record, answer));
        }
        return answers;
    }

    private void offerIfSettled(RecordId record, Claim claim) {
        if (claim instanceof Claim.Replay || claim instanceof Claim.Rejected) {
            try {
                offers.execute(() -> offerIfReadable(record));
            } catch (RejectedExecutionException busy) {
                LOG.debug("No thread is free to copy {}", record);
            }
        }
    }

    private void offerIfReadable(RecordId record) {
        try {
            offer(record);
        } catch (RuntimeException unreadable) {
            LOG.debug("No copy of {} was made", record, unreadable);
        }
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
        Duration atMost = shorter(kept, copyLife);
        if (atMost.toMillis() > 0 && elapsed.compareTo(copyLife) < 0) {
            cache.offer(record, settled.get().snapshot(), atMost);
        }
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        withdraw(record, expectedFence);
        return super.reopen(record, expectedFence, retention);
    }

    /**
     * Withdraws the copy after the erasure, because the record may be settled and copied until then.
     *
     * @throws StoreUnavailableException also if the result is erased and its copy is not: an erasure can be repeated
     */
    @Override
    public StoreAnswer erase(RecordId record) {
        StoreAnswer answer = super.erase(record);
        if (answer instanceof StoreAnswer.Ok) {
            try {
                inspect(record).ifPresent(known -> withdraw(record, known.fence()));
            } catch (StoreUnavailableException away) {
                throw new StoreUnavailableException(
                        "The result of " + record + " is erased, and its copy may be answered for " + copyLife
                                + "; repeat the erasure",
                        Execution.UNKNOWN,
                        away);
            }
        }
        return answer;
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
