package io.idem.gateway.service.internal.limits;

import static io.idem.internal.value.Arguments.require;

import java.time.Duration;

/**
 * A rate of requests, spread evenly, with a burst. Immutable.
 *
 * @param requests the number of permits that return in {@code per}; at least 1
 * @param per the period; positive
 * @param burst the number of requests that may be sent at once after a pause; at least 1
 */
public record Rate(int requests, Duration per, int burst) {

    /** Creates a rate and checks its values. */
    public Rate {
        require(
                requests >= 1 && burst >= 1,
                "requests and burst must be at least 1, not " + requests + " and " + burst);
        if (per.isNegative() || per.isZero() || per.toNanos() < requests) {
            throw new IllegalArgumentException(requests + " requests per " + per + " cannot be counted");
        }
    }

    /** Returns the time after which a quiet tenant has its whole burst again. */
    Duration recovery() {
        return per.multipliedBy(burst).dividedBy(requests).plusNanos(1);
    }
}
