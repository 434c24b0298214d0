package io.idem.consumer.internal.rabbit.message;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.InPlaceWait;
import io.idem.consumer.internal.delivery.UndecidedDelivery;
import io.idem.internal.NotNow;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The wait of the {@code @Idempotent} methods that a listener calls in one delivery, on the delivering thread: together as long as the
 * message of an idempotent listener waits in place. A thread-bound static, because nothing leads from the container to the called method.
 */
public final class CallWait {

    private static final ThreadLocal<@Nullable CallWait> CURRENT = new ThreadLocal<>();

    private final Supplier<Duration> limit;
    private final BooleanSupplier stopping;
    private final boolean handsBack;
    private @Nullable InPlaceWait wait;
    private @Nullable NotNow notNow;
    private @Nullable ListenerConfigurationException refused;

    /**
     * Makes the wait of a delivery; it begins with the first call that has to wait.
     *
     * @param stopping ends the wait
     * @param handsBack whether the message goes back to the broker, rather than to the container's retries, if a call still cannot run
     */
    public CallWait(Supplier<Duration> limit, BooleanSupplier stopping, boolean handsBack) {
        this.limit = limit;
        this.stopping = stopping;
        this.handsBack = handsBack;
    }

    /** Pauses for a call that cannot run now; false at once on threads that deliver nothing. Blocks. */
    public static boolean pauseFor(@Nullable Throwable failure) {
        CallWait current = CURRENT.get();
        NotNow cause = NotNow.of(failure);
        return current != null && cause != null && current.pause(cause);
    }

    /**
     * Returns whether the failure of a listener means that its message goes back, so that no retry of the container is to see
     * it: a call could not run now, or idem refuses it.
     */
    static boolean take(Throwable failure) {
        CallWait current = CURRENT.get();
        if (current == null || !current.handsBack) {
            return false;
        }
        current.notNow = NotNow.of(failure);
        current.refused = UndecidedDelivery.refusal(failure)
                .map(DeliveryDecision.Stop::refusal)
                .orElse(null);
        return current.notNow != null || current.refused != null;
    }

    /** Hands the message to the listener, on whose thread calls wait. */
    public @Nullable Object during(CurrentDelivery.HandOver delivery) throws Throwable {
        CallWait outer = CURRENT.get();
        CURRENT.set(this);
        notNow = null;
        refused = null;
        try {
            return delivery.call();
        } finally {
            CURRENT.set(outer);
        }
    }

    /** The failure for which the message goes back; empty if the listener did its work, or failed otherwise. */
    public Optional<NotNow> notNow() {
        return Optional.ofNullable(notNow);
    }

    /** Why idem refuses a call whatever the message says; empty if it does not. */
    public Optional<ListenerConfigurationException> refused() {
        return Optional.ofNullable(refused);
    }

    /** Pauses before a call, or the listener, runs once more; returns whether it may. Blocks. */
    public boolean pause(NotNow cause) {
        if (wait == null) {
            wait = new InPlaceWait(limit.get(), stopping);
        }
        return wait.pause(cause.retryAfter());
    }
}
