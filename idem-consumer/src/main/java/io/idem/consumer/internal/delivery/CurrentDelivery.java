package io.idem.consumer.internal.delivery;

import io.idem.internal.Causes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Binds a delivery to the thread that hands it to the listener. A thread-bound static because the containers offer no
 * other way from the delivery hook to the deciding interceptor; it is set and cleared in one place, {@link #callWith}.
 */
public final class CurrentDelivery {

    private static final ThreadLocal<@Nullable Binding> BOUND = new ThreadLocal<>();

    private CurrentDelivery() {}

    /**
     * The state of a thread.
     *
     * @param delivery that it hands over; null while it does the listener's own work
     */
    private record Binding(@Nullable Delivery delivery) {}

    /** Returns the delivery of the calling thread; empty outside of one. */
    public static Optional<Delivery> get() {
        return Optional.ofNullable(BOUND.get()).map(Binding::delivery);
    }

    /** Returns whether the calling thread does the work of a listener, in {@link #callWithout}. */
    public static boolean isWorking() {
        Binding current = BOUND.get();
        return current != null && current.delivery() == null;
    }

    /**
     * Notes that an exception passes between the listener and the delivery hook. Does nothing outside of a delivery.
     *
     * @see Delivery#sawFailure()
     */
    public static void seeFailure() {
        get().ifPresent(Delivery::seeFailure);
    }

    /** Hands the message over with the delivery bound; the earlier binding, if any, is restored in every case. */
    public static @Nullable Object callWith(Delivery delivery, HandOver handOver) throws Throwable {
        return callBound(new Binding(delivery), handOver);
    }

    /** Hands the message over with the delivery bound, and returns the exception of that; an error is thrown. */
    public static @Nullable RuntimeException failureWith(Delivery delivery, Runnable handOver) {
        try {
            runWith(delivery, handOver);
            return null;
        } catch (Throwable failure) {
            return Causes.unchecked(failure);
        }
    }

    /** Runs an action in the name of a delivery that its hook has settled; the earlier binding, if any, is restored. */
    public static void runWith(Delivery delivery, Runnable what) {
        Binding outer = BOUND.get();
        set(new Binding(delivery));
        try {
            what.run();
        } finally {
            set(outer);
        }
    }

    /**
     * Runs the work with no delivery bound: an idempotent listener method that the work calls by itself is not the one
     * that is being delivered, and must not leave a decision.
     */
    public static @Nullable Object callWithout(HandOver work) throws Throwable {
        return callBound(new Binding(null), work);
    }

    private static @Nullable Object callBound(Binding binding, HandOver call) throws Throwable {
        Binding outer = BOUND.get();
        set(binding);
        try {
            return call.call();
        } finally {
            set(outer);
        }
    }

    private static void set(@Nullable Binding binding) {
        if (binding == null) {
            BOUND.remove();
        } else {
            BOUND.set(binding);
        }
    }

    /** Hands a message to the listener and returns the value for the container. */
    @FunctionalInterface
    public interface HandOver {
        @Nullable Object call() throws Throwable;
    }
}
