package io.idem.consumer.internal.delivery;

import io.idem.Scope;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Facts about a delivery that its decision depends on besides the outcome.
 *
 * @param lease how long a message waits whose effect could not be recorded
 * @param attempt the attempt that this delivery made; empty if the listener was not called
 * @param lastFailure reason of the failure of the attempt with a number; empty if this instance has not seen it
 */
public record DeliveryFacts(
        Scope scope, Duration lease, Optional<Attempt> attempt, IntFunction<Optional<String>> lastFailure) {

    /**
     * A call of the listener.
     *
     * @param number number of grants so far
     * @param retryAfter when the next attempt is due; zero for at once
     * @param handedBack whether the listener returned the message to the broker itself
     * @param mayRetry whether another delivery is to follow by itself: the number of attempts is limited, or the attempt has not failed
     * @param threw whether the record was rejected because of an exception, which is on its way to the container
     */
    public record Attempt(int number, Duration retryAfter, boolean handedBack, boolean mayRetry, boolean threw) {

        /** Returns an attempt of a batch listener, which neither asks for a retry nor rejects by its result. */
        public static Attempt inBatch(int number) {
            return new Attempt(number, Duration.ZERO, false, true, false);
        }
    }

    /** Returns the facts of a delivery whose listener was not called. */
    public static DeliveryFacts notRun(Scope scope, Duration lease, IntFunction<Optional<String>> lastFailure) {
        return new DeliveryFacts(scope, lease, Optional.empty(), lastFailure);
    }
}
