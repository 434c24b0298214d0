package io.idem.redis;

import static io.idem.internal.value.Arguments.require;

import java.time.Duration;

/**
 * The confirmations that a grant, a renewal or an outcome needs before it counts. They reduce what a failover can lose,
 * but do not exclude a loss: another replica than those that confirmed may be promoted. Immutable.
 *
 * @param replicas the number of replicas that must have received the write; default 0 for none
 * @param syncedLocally whether the master must have synced the write to its append-only file; needs Redis 7.2
 * @param syncedReplicas the number of replicas that must have synced the write to their append-only files; default 0
 *     for none; needs Redis 7.2
 * @param timeout the time for which Redis waits for the confirmations
 */
public record ReplicationSettings(int replicas, boolean syncedLocally, int syncedReplicas, Duration timeout) {

    /** The settings that ask for no confirmation. */
    public static final ReplicationSettings NONE = new ReplicationSettings(0, false, 0, Duration.ofMillis(500));

    /** The largest number of replicas. */
    public static final int MOST_REPLICAS = 100;

    /**
     * Creates the settings and checks their bounds.
     *
     * @throws IllegalArgumentException if a value is out of bounds; the message names the value
     */
    public ReplicationSettings {
        checkCount("replicas", replicas);
        checkCount("syncedReplicas", syncedReplicas);
        // A timeout of zero would let Redis wait without end.
        require(timeout.toMillis() >= 1, "timeout " + timeout + " is shorter than a millisecond");
    }

    private static void checkCount(String name, int value) {
        require(value >= 0 && value <= MOST_REPLICAS, name + " " + value + " is not between 0 and " + MOST_REPLICAS);
    }

    /** Returns settings that ask for a number of replicas to have received a write, with the default timeout. */
    public static ReplicationSettings to(int replicas) {
        return new ReplicationSettings(replicas, false, 0, NONE.timeout);
    }

    /** Returns whether any confirmation is asked for. */
    public boolean isOn() {
        return replicas > 0 || asksDisks();
    }

    public boolean asksDisks() {
        return syncedLocally || syncedReplicas > 0;
    }

    public int localDisks() {
        return syncedLocally ? 1 : 0;
    }

    /** Returns the number of replicas without which the confirmations are impossible. */
    public int leastReplicas() {
        return Math.max(replicas, syncedReplicas);
    }
}
