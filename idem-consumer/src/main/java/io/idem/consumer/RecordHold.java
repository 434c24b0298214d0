package io.idem.consumer;

import io.idem.Outcome;
import io.idem.spi.StoredResult;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a delivery unacknowledged while recording its durable effect is tried again: the effect must not become a failure,
 * and an acknowledgement before COMPLETE would leave the record to a takeover.
 */
final class RecordHold {

    private static final Logger LOG = LoggerFactory.getLogger(RecordHold.class);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Duration limit;
    private final BooleanSupplier stopping;
    private boolean restored;

    RecordHold(Duration limit, BooleanSupplier stopping) {
        this.limit = limit;
        this.stopping = stopping;
    }

    /** Tries until it is recorded, the record is lost for good, the limit has passed, or the container stops. Blocks. */
    <T> Outcome<T> recorded(Outcome.Unrecorded<T> first) {
        long end = System.nanoTime() + limit.toNanos();
        Outcome<T> outcome = first;
        while (outcome instanceof Outcome.Unrecorded<T> open) {
            if (open.why() instanceof Outcome.Obstacle.RecordLost lost) {
                if (restored) {
                    LOG.warn(
                            "An effect is durable but its record is {} and could not be restored; acknowledged",
                            lost.state());
                    return new Outcome.Superseded<>(open.value(), StoredResult.NONE);
                }
                restored = true;
            } else if (!mayGoOn(end, open)) {
                return open;
            }
            outcome = open.again().get();
        }
        return outcome;
    }

    private boolean mayGoOn(long end, Outcome.Unrecorded<?> open) {
        LOG.warn("An effect is durable but not recorded yet ({}); the message is held unacknowledged", open.why());
        return System.nanoTime() - end < 0 && !stopping.getAsBoolean() && pause();
    }

    private static boolean pause() {
        try {
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
