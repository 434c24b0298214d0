package io.idem.autoconfigure;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.MonotonicClock;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Grants everything and keeps no records, in place of a store while the kill switch is on: the store in memory, which
 * answers operators, stays empty. Filters, listeners and templates work as before, so that published messages still
 * carry their keys, but every duplicate runs again. Logs a warning at the start and then once a minute. Thread-safe,
 * never blocks.
 */
final class UnguardedStore extends StoreDecorator {

    private static final Logger LOG = LoggerFactory.getLogger(UnguardedStore.class);
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final MonotonicClock clock;
    private final AtomicLong lastSaid;
    private final AtomicLong unguarded = new AtomicLong();

    UnguardedStore(MonotonicClock clock) {
        super(new InMemoryIdempotencyStore());
        this.clock = clock;
        this.lastSaid = new AtomicLong(clock.nanoTime());
        LOG.warn(
                "idem is switched off (idem.enabled=false): no record is read or written, and every duplicate runs again");
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return Stages.each(requests, this::granted);
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return Stages.each(
                updates,
                update -> new StoreAnswer.Ok(
                        update instanceof RecordUpdate.Complete complete ? complete.result() : StoredResult.NONE));
    }

    private Claim granted(AcquireRequest request) {
        long fence = Math.max(request.fenceFloor() + 1, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        sayAgain(unguarded.incrementAndGet());
        return new Claim.Granted(request.granted(fence, 1), Claim.GrantKind.FRESH);
    }

    private void sayAgain(long soFar) {
        long now = clock.nanoTime();
        long last = lastSaid.get();
        if (now - last >= PAUSE.toNanos() && lastSaid.compareAndSet(last, now)) {
            LOG.warn(
                    "idem is still switched off (idem.enabled=false): {} operation(s) ran unguarded since the start",
                    soFar);
        }
    }
}
