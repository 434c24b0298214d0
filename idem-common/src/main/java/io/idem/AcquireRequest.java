package io.idem;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * What an attempt asks a store for. Sent unchanged when the call to the store is repeated. Stores count in milliseconds; what is
 * finer is cut off.
 *
 * @param record which record
 * @param owner token of this attempt
 * @param lease how long the right to work lasts without renewal; at least 1 ms, at most {@link RecordUpdate#LONGEST_DELAY}
 * @param retention how long the record outlives every write; at least 1 ms, at most {@link RecordUpdate#LONGEST_DELAY}
 * @param fingerprint of the payload, or {@link Fingerprint#NONE}
 * @param fenceFloor the grant's fence is greater than this; 0 for no floor; below 2<sup>53</sup> - 1
 * @param maxAttempts number of grants after which the record is exhausted; 0 for no limit; at most {@value #MOST_ATTEMPTS}
 */
public record AcquireRequest(
        RecordId record,
        OwnerToken owner,
        Duration lease,
        Duration retention,
        Fingerprint fingerprint,
        long fenceFloor,
        int maxAttempts) {

    /** Stores count grants in 16 bits, and stay at this number. */
    public static final int MOST_ATTEMPTS = 0xffff;

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final long FENCE_LIMIT = (1L << 53) - 1;

    /** Checks the bounds. */
    public AcquireRequest {
        lease = milliseconds("lease", lease);
        retention = milliseconds("retention", retention);
        if (fenceFloor < 0 || fenceFloor >= FENCE_LIMIT) {
            throw new IllegalArgumentException(
                    "fenceFloor " + fenceFloor + " is not between 0, for no floor, and 2^53 - 1");
        }
        if (maxAttempts < 0 || maxAttempts > MOST_ATTEMPTS) {
            throw new IllegalArgumentException(
                    "maxAttempts " + maxAttempts + " is not between 0, for no limit, and " + MOST_ATTEMPTS);
        }
    }

    private static Duration milliseconds(String name, Duration value) {
        if (value.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(name + " " + value + " is shorter than a millisecond");
        }
        if (value.compareTo(RecordUpdate.LONGEST_DELAY) > 0) {
            throw new IllegalArgumentException(
                    name + " " + value + " is longer than " + RecordUpdate.LONGEST_DELAY + ", 100 years");
        }
        return value.truncatedTo(ChronoUnit.MILLIS);
    }
}
