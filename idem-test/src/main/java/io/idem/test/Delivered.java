package io.idem.test;

import java.util.Optional;

/**
 * What became of one delivery.
 *
 * @param end what the broker would be told
 * @param failure what came out of the listener, or why it was not run
 */
public record Delivered(DeliveryEnd end, Optional<Throwable> failure) {

    /** One without a failure. */
    public static Delivered with(DeliveryEnd end) {
        return new Delivered(end, Optional.empty());
    }

    /** One with a failure. */
    public static Delivered with(DeliveryEnd end, Throwable failure) {
        return new Delivered(end, Optional.of(failure));
    }
}
