package io.idem.cache;

import static io.idem.internal.value.Arguments.require;

import java.time.Duration;

/**
 * The bounds of a near cache. Immutable.
 *
 * @param maxWeight the approximate size of all entries in bytes; default {@link #DEFAULT_MAX_WEIGHT}
 * @param ttl the time for which an entry answers after it was read from the store; default {@link #DEFAULT_TTL}. A
 *     reopening by another process is noticed after this time at the latest
 */
public record CacheSettings(long maxWeight, Duration ttl) {

    /** The default size of 16 MB. */
    public static final long DEFAULT_MAX_WEIGHT = 16 << 20;

    /** The default lifetime of 10 seconds, as long as bursts of duplicates last. */
    public static final Duration DEFAULT_TTL = Duration.ofSeconds(10);

    /** Creates the bounds and checks them. */
    public CacheSettings {
        require(maxWeight >= 1, "maxWeight " + maxWeight + " is less than 1 byte");
        require(ttl.toMillis() >= 1, "ttl " + ttl + " is shorter than a millisecond");
    }

    /** Returns the default bounds. */
    public static CacheSettings defaults() {
        return new CacheSettings(DEFAULT_MAX_WEIGHT, DEFAULT_TTL);
    }
}
