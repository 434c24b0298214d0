package io.idem.consumer.internal.delivery;

import io.idem.consumer.internal.outage.StoreOutage;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The wait of one delivery for another owner, on the delivering thread: pauses that grow from {@value #FIRST_MILLIS} ms
 * to {@value #LONGEST_MILLIS} ms with jitter, so that waiting deliveries do not ask all at once. Used by one delivery;
 * not thread-safe.
 */
public final class InPlaceWait {

    private static final long FIRST_MILLIS = 100;
    private static final long LONGEST_MILLIS = 1_000;
    private static final Duration SLICE = Duration.ofMillis(25);

    private final long end;
    private final BooleanSupplier stopping;
    private final long begin = System.nanoTime();
    private long pause = FIRST_MILLIS;

    /**
     * Begins a wait now.
     *
     * @param limit how long all pauses together may be
     * @param stopping ends a pause at once
     */
    public InPlaceWait(Duration limit, BooleanSupplier stopping) {
        this.end = System.nanoTime() + limit.toNanos();
        this.stopping = stopping;
    }

    /**
     * Pauses before the listener is called once more. Blocks.
     *
     * @param retryAfter when asking again makes sense; zero if that is unknown
     * @return false if the message is to be handed back instead: the limit has passed, the container is stopping, or
     *     the thread was interrupted
     */
    public boolean pause(Duration retryAfter) {
        if (remainingMillis() <= 0) {
            return false;
        }
        boolean whole = sleep(Math.min(remainingMillis(), nextPause(retryAfter)));
        pause = Math.min(2 * pause, LONGEST_MILLIS);
        return whole;
    }

    /**
     * Pauses for a deferral. An outage of the store is waited out for as long as it allows, since every redelivery in
     * vain would cost the message a part of its delivery limit. Only for transports that let a delivery be held that
     * long.
     */
    public boolean pause(DeliveryDecision.Defer deferral) {
        StoreOutage outage = deferral.outage().orElse(null);
        if (outage == null) {
            return pause(deferral.retryAfter());
        }
        Duration held = Duration.ofNanos(System.nanoTime() - begin);
        return outage.await(outage.longestHold().minus(held), stopping) || pause(deferral.retryAfter());
    }

    /** Never later than the end of the other lease, which is known; earlier too, since the owner may be done before. */
    private long nextPause(Duration retryAfter) {
        long jittered = pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1);
        return retryAfter.isZero() ? jittered : Math.min(jittered, retryAfter.toMillis() + 1);
    }

    private boolean sleep(long millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() - until < 0) {
            if (stopping.getAsBoolean() || !sleep(SLICE)) {
                return false;
            }
        }
        return !stopping.getAsBoolean();
    }

    /** Returns false if the thread was interrupted, which stays noted. */
    static boolean sleep(Duration pause) {
        try {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private long remainingMillis() {
        return TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
}
