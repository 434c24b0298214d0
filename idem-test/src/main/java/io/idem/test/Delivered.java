package io.idem.test;

import java.util.Optional;

/**
 * The outcome of one delivery.
 *
 * @param end the end of the delivery as the broker would see it
 * @param failure the exception of the listener, or the reason why it was not run
 */
public record Delivered(DeliveryEnd end, Optional<Throwable> failure) {

    /** Returns an outcome without a failure. */
    public static Delivered with(DeliveryEnd end) {
        return new Delivered(end, Optional.empty());
    }

    /** Returns an outcome with a failure. */
    public static Delivered with(DeliveryEnd end, Throwable failure) {
        return new Delivered(end, Optional.of(failure));
    }
}
