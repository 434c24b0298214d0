package io.idem.consumer.delivery;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Binds a delivery to the thread that hands it to the listener. A thread-bound static because the containers offer no other
 * way from the delivery hook to the deciding interceptor; it is set and cleared in one place, {@link #callWith}.
 */
public final class CurrentDelivery {

    private static final ThreadLocal<@Nullable Delivery> BOUND = new ThreadLocal<>();

    private CurrentDelivery() {}

    /** The delivery of the calling thread; empty outside of one. */
    public static Optional<Delivery> get() {
        return Optional.ofNullable(BOUND.get());
    }

    /** Hands the message over with the delivery bound; the binding before, if any, is put back whatever happens. */
    public static @Nullable Object callWith(Delivery delivery, HandOver handOver) throws Throwable {
        return callBound(delivery, handOver);
    }

    /** Does something in the name of a delivery that its hook has settled; the binding before, if any, is put back. */
    public static void runWith(Delivery delivery, Runnable what) {
        Delivery outer = BOUND.get();
        set(delivery);
        try {
            what.run();
        } finally {
            set(outer);
        }
    }

    /**
     * Runs the work with no delivery bound: an idempotent listener method that the work calls by itself is not what is being
     * delivered, and must not leave a verdict.
     */
    public static @Nullable Object callWithout(HandOver work) throws Throwable {
        return callBound(null, work);
    }

    private static @Nullable Object callBound(@Nullable Delivery delivery, HandOver call) throws Throwable {
        Delivery outer = BOUND.get();
        set(delivery);
        try {
            return call.call();
        } finally {
            set(outer);
        }
    }

    private static void set(@Nullable Delivery delivery) {
        if (delivery == null) {
            BOUND.remove();
        } else {
            BOUND.set(delivery);
        }
    }

    /** Hands a message to the listener and answers what the container is to get. */
    @FunctionalInterface
    public interface HandOver {

        /** Does it. */
        @Nullable Object call() throws Throwable;
    }
}
