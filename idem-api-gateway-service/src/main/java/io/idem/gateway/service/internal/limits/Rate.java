package io.idem.gateway.service.internal.limits;

import java.time.Duration;

/**
 * So many requests in a time, spread evenly, after a burst.
 *
 * @param requests that come back in {@code per}; at least 1
 * @param per positive
 * @param burst requests at once after a pause; at least 1
 */
public record Rate(int requests, Duration per, int burst) {

    /** Checks the numbers. */
    public Rate {
        if (requests < 1 || burst < 1) {
            throw new IllegalArgumentException(
                    "requests and burst must be at least 1, not " + requests + " and " + burst);
        }
        if (per.isNegative() || per.isZero() || per.toNanos() < requests) {
            throw new IllegalArgumentException(requests + " requests per " + per + " cannot be counted");
        }
    }

    /** After so long a pause nothing is left to remember: the whole burst is there again. */
    Duration recovery() {
        return per.multipliedBy(burst).dividedBy(requests).plusNanos(1);
    }
}
