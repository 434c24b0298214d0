package io.idem.consumer.internal.delivery;

import io.idem.Outcome;
import io.idem.StoredResult;
import io.idem.internal.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a delivery unacknowledged while recording its durable effect is tried again: the effect must not become a
 * failure, and an acknowledgement before COMPLETE would leave the record to a takeover. The lease is renewed meanwhile.
 * While a broker refuses what the work published, only a limit of the transport ends the hold of the thread; then another
 * thread goes on until the container stops, so that redeliveries find the key in progress and the effect is not repeated.
 */
public final class RecordHold {

    private static final Logger LOG = LoggerFactory.getLogger(RecordHold.class);

    /** Pause between two tries. */
    public static final Duration PAUSE = Duration.ofMillis(500);

    private final Delivery delivery;
    private final Duration limit;
    private final Duration longest;
    private final long begin = System.nanoTime();
    private boolean restored;

    /**
     * Begins a hold now.
     *
     * @param limit for an effect that the store does not record
     * @param longest for an effect whose messages a broker refuses
     */
    public RecordHold(Delivery delivery, Duration limit, Duration longest) {
        this.delivery = delivery;
        this.limit = limit;
        this.longest = longest;
    }

    /**
     * Tries until the effect is recorded, the record is lost for good, the limit has passed, or the container stops.
     * Blocks. Returns every other outcome at once.
     */
    public <T> Outcome<T> recorded(Outcome<T> first) {
        Outcome<T> outcome = first;
        while (outcome instanceof Outcome.Unrecorded<T> open) {
            Next next = next(open);
            if (next == Next.ACKNOWLEDGE) {
                return new Outcome.Superseded<>(open.value(), StoredResult.NONE);
            }
            if (next == Next.GIVE_UP || (next == Next.AFTER_PAUSE && !InPlaceWait.sleep(PAUSE))) {
                return isRefused(open) && !delivery.message().stopping() ? onAnotherThread(open) : open;
            }
            outcome = open.again().get();
        }
        return outcome;
    }

    private static boolean isRefused(Outcome.Unrecorded<?> open) {
        return open.why() instanceof Outcome.Obstacle.Unconfirmed;
    }

    private <T> Outcome<T> onAnotherThread(Outcome.Unrecorded<T> open) {
        RecordHold rest = new RecordHold(delivery, limit, Delivery.UNBOUNDED);
        return underWay(open, CompletableFuture.supplyAsync(() -> rest.recorded(open), RecordHold::start));
    }

    private static void start(Runnable rest) {
        DaemonThreads.named("idem-hold").newThread(rest).start();
    }

    private static <T> Outcome<T> underWay(Outcome.Unrecorded<T> open, CompletableFuture<Outcome<T>> end) {
        return new Outcome.Unrecorded<>(
                open.value(), open.why(), () -> end.isDone() ? end.join() : underWay(open, end));
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
            LOG.warn(
                    "The effect of {} is durable but not recorded yet ({}); its message is held unacknowledged",
                    delivery,
                    open.why());
            Duration most = isRefused(open) ? longest : limit;
            return System.nanoTime() - begin < most.toNanos()
                            && !delivery.message().stopping()
                    ? Next.AFTER_PAUSE
                    : Next.GIVE_UP;
        }
        if (restored) {
            LOG.warn(
                    "The effect of {} is durable but its record is {} and could not be restored; acknowledged",
                    delivery,
                    lost.state());
            return Next.ACKNOWLEDGE;
        }
        restored = true;
        return Next.AT_ONCE;
    }
}
