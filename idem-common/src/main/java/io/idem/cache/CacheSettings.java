package io.idem.cache;

import java.time.Duration;

/**
 * Bounds of a near cache.
 *
 * @param maxWeight bytes that its entries may take together, roughly
 * @param ttl how long an entry answers after it was read from the store; default {@link #DEFAULT_TTL}. Another process's reopen is noticed no
 *     later than this
 */
public record CacheSettings(long maxWeight, Duration ttl) {

    /** 16 MB. */
    public static final long DEFAULT_MAX_WEIGHT = 16 << 20;

    /** 10 s: as long as storms of duplicates last. */
    public static final Duration DEFAULT_TTL = Duration.ofSeconds(10);

    /** Checks the bounds. */
    public CacheSettings {
        if (maxWeight < 1) {
            throw new IllegalArgumentException("maxWeight " + maxWeight + " is less than 1 byte");
        }
        if (ttl.toMillis() < 1) {
            throw new IllegalArgumentException("ttl " + ttl + " is shorter than a millisecond");
        }
    }

    /** The defaults. */
    public static CacheSettings defaults() {
        return new CacheSettings(DEFAULT_MAX_WEIGHT, DEFAULT_TTL);
    }
}
