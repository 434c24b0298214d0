package io.idem.redis;

import java.time.Duration;

/**
 * How far a grant, a renewal or an outcome must have spread before it counts. It narrows what a failover can lose, and does not
 * remove it: the server that is promoted may be another one than those that confirmed.
 *
 * @param replicas so many replicas must have received it; 0, the default, asks none
 * @param syncedLocally whether the master must have synced it to its append-only file; needs Redis 7.2
 * @param syncedReplicas so many replicas must have synced it to theirs; 0, the default, asks none; needs Redis 7.2
 * @param timeout how long Redis waits for the confirmations
 */
public record ReplicationSettings(int replicas, boolean syncedLocally, int syncedReplicas, Duration timeout) {

    /** No confirmation is asked for. */
    public static final ReplicationSettings NONE = new ReplicationSettings(0, false, 0, Duration.ofMillis(500));

    /** More than anybody has. */
    public static final int MOST_REPLICAS = 100;

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException names the value and what it must be
     */
    public ReplicationSettings {
        checkCount("replicas", replicas);
        checkCount("syncedReplicas", syncedReplicas);
        // Zero would let Redis wait for ever.
        if (timeout.toMillis() < 1) {
            throw new IllegalArgumentException("timeout " + timeout + " is shorter than a millisecond");
        }
    }

    private static void checkCount(String name, int value) {
        if (value < 0 || value > MOST_REPLICAS) {
            throw new IllegalArgumentException(name + " " + value + " is not between 0 and " + MOST_REPLICAS);
        }
    }

    /** Confirmation by replicas that received it, with the default timeout. */
    public static ReplicationSettings to(int replicas) {
        return new ReplicationSettings(replicas, false, 0, NONE.timeout);
    }

    /** Whether anything is to be confirmed. */
    public boolean isOn() {
        return replicas > 0 || asksDisks();
    }

    public boolean asksDisks() {
        return syncedLocally || syncedReplicas > 0;
    }

    public int localDisks() {
        return syncedLocally ? 1 : 0;
    }

    /** How many replicas there must be for it to be possible at all. */
    public int leastReplicas() {
        return Math.max(replicas, syncedReplicas);
    }
}
