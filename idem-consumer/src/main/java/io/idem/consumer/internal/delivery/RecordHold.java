package io.idem.consumer.internal.delivery;

import io.idem.Outcome;
import io.idem.StoredResult;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a delivery unacknowledged while recording its durable effect is tried again: the effect must not become a
 * failure, and an acknowledgement before COMPLETE would leave the record to a takeover.
 */
public final class RecordHold {

    private static final Logger LOG = LoggerFactory.getLogger(RecordHold.class);

    /** Pause between two tries. */
    public static final Duration PAUSE = Duration.ofMillis(500);

    private final long end;
    private final BooleanSupplier stopping;
    private boolean restored;

    /** Begins a hold now. */
    public RecordHold(Duration limit, BooleanSupplier stopping) {
        this.end = System.nanoTime() + limit.toNanos();
        this.stopping = stopping;
    }

    /**
     * Tries until the effect is recorded, the record is lost for good, the limit has passed, or the container stops.
     * Blocks.
     */
    public <T> Outcome<T> recorded(Outcome.Unrecorded<T> first) {
        Outcome<T> outcome = first;
        while (outcome instanceof Outcome.Unrecorded<T> open) {
            Next next = next(open);
            if (next == Next.ACKNOWLEDGE) {
                return new Outcome.Superseded<>(open.value(), StoredResult.NONE);
            }
            if (next == Next.GIVE_UP || (next == Next.AFTER_PAUSE && !pause())) {
                return open;
            }
            outcome = open.again().get();
        }
        return outcome;
    }

    /** Next step after a failed try. */
    public enum Next {
        AT_ONCE,
        AFTER_PAUSE,
        GIVE_UP,
        ACKNOWLEDGE
    }

    public Next next(Outcome.Unrecorded<?> open) {
        if (!(open.why() instanceof Outcome.Obstacle.RecordLost lost)) {
            LOG.warn("An effect is durable but not recorded yet ({}); the message is held unacknowledged", open.why());
            return System.nanoTime() - end < 0 && !stopping.getAsBoolean() ? Next.AFTER_PAUSE : Next.GIVE_UP;
        }
        if (restored) {
            LOG.warn("An effect is durable but its record is {} and could not be restored; acknowledged", lost.state());
            return Next.ACKNOWLEDGE;
        }
        restored = true;
        return Next.AT_ONCE;
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
