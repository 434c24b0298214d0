package io.idem;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The request to acquire a record for one attempt. Repeated unchanged when the call to the store is retried. Durations
 * are counted in whole milliseconds; fractions are cut off. Immutable.
 *
 * @param record the record to acquire
 * @param owner the token of this attempt
 * @param lease the time for which the work may run without renewal; at least 1 ms, at most
 *     {@link RecordUpdate#LONGEST_DELAY}
 * @param retention the time for which the record is kept after every write; at least 1 ms, at most
 *     {@link RecordUpdate#LONGEST_DELAY}
 * @param fingerprint the fingerprint of the payload, or {@link Fingerprint#NONE}
 * @param fenceFloor a lower bound: the fence of the grant is greater; 0 for no bound; below 2<sup>53</sup> - 1
 * @param maxAttempts the number of grants after which the record is exhausted; 0 for no limit; at most
 *     {@value #MOST_ATTEMPTS}
 */
public record AcquireRequest(
        RecordId record,
        OwnerToken owner,
        Duration lease,
        Duration retention,
        Fingerprint fingerprint,
        long fenceFloor,
        int maxAttempts) {

    /**
     * The largest limit of attempts. Stores count grants in 16 bits; the count stays at this number once it is reached.
     */
    public static final int MOST_ATTEMPTS = 0xffff;

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final long FENCE_LIMIT = (1L << 53) - 1;

    /**
     * Creates a request and checks its bounds.
     *
     * @throws IllegalArgumentException if a value is out of bounds; the message names the value
     */
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

    /**
     * Returns a request for a record that belongs to nobody and expires within a second: its grant shows that a store
     * takes work.
     */
    public static AcquireRequest trial(int number) {
        RecordId nobodys = new RecordId(IdempotencyKey.of("idem-health-" + number), new Scope("idem.health"));
        OwnerToken owner = OwnerToken.ofBytes(new byte[OwnerToken.SIZE]);
        return new AcquireRequest(nobodys, owner, SHORTEST, Duration.ofSeconds(1), Fingerprint.NONE, 0, 0);
    }

    /** Returns the lease that a grant of this request gives. */
    public Lease granted(long fence, int attempt) {
        return new Lease(record, owner, fence, attempt, lease, retention);
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
