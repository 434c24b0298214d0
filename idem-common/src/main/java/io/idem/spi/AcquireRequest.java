package io.idem.spi;

import io.idem.Fingerprint;
import java.time.Duration;

/**
 * What an attempt asks a store for. Sent unchanged when the call to the store is repeated.
 *
 * @param record which record
 * @param owner token of this attempt
 * @param lease how long the right to work lasts without renewal; at least 1 ms
 * @param retention how long the record outlives every write; at least 1 ms
 * @param fingerprint of the payload, or {@link Fingerprint#NONE}
 * @param fenceFloor the grant's fence is greater than this; 0 for no floor
 * @param maxAttempts number of grants after which the record is exhausted; 0 for no limit
 */
public record AcquireRequest(
        RecordId record,
        OwnerToken owner,
        Duration lease,
        Duration retention,
        Fingerprint fingerprint,
        long fenceFloor,
        int maxAttempts) {

    /** Checks the bounds. */
    public AcquireRequest {
        requireMillisecond("lease", lease);
        requireMillisecond("retention", retention);
        if (fenceFloor < 0) {
            throw new IllegalArgumentException("fenceFloor " + fenceFloor + " is negative; use 0 for no floor");
        }
        if (maxAttempts < 0) {
            throw new IllegalArgumentException("maxAttempts " + maxAttempts + " is negative; use 0 for no limit");
        }
    }

    private static void requireMillisecond(String name, Duration value) {
        if (value.toMillis() < 1) {
            throw new IllegalArgumentException(name + " " + value + " is shorter than a millisecond");
        }
    }
}
