package io.idem.autoconfigure;

import io.idem.redis.ReplicationSettings;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem.redis.replication}: what replicas must confirm before a grant or an outcome counts.
 *
 * @param replicas so many replicas must have received it; 0, the default, asks none
 * @param syncedLocally whether the master must have synced it to its append-only file; needs Redis 7.2; default no
 * @param syncedReplicas so many replicas must have synced it to theirs; needs Redis 7.2; 0, the default, asks none
 * @param timeout how long Redis waits for them; at most the command timeout; default half of that
 */
record ReplicationProperties(
        @DefaultValue("0") int replicas,
        @DefaultValue("false") boolean syncedLocally,
        @DefaultValue("0") int syncedReplicas,
        @Nullable Duration timeout) {

    private static final String PREFIX = "idem.redis.replication.";

    /** The shortest timeout for disks, because replicas report about once a second what they have synced. */
    private static final Duration SHORTEST_FOR_DISKS = Duration.ofSeconds(2);

    /** Returns the settings for the engine, checked against the command timeout. */
    ReplicationSettings settings(Duration commandTimeout) {
        Duration half = commandTimeout.toMillis() < 2 ? commandTimeout : commandTimeout.dividedBy(2);
        Duration longest = Objects.requireNonNullElse(timeout, half);
        if (longest.toMillis() < 1) {
            throw new InvalidSettingException(PREFIX + "timeout", longest + " is shorter than a millisecond");
        }
        if (longest.compareTo(commandTimeout) > 0) {
            throw new InvalidSettingException(
                    PREFIX + "timeout",
                    longest + " is longer than idem.redis.command-timeout " + commandTimeout
                            + ": a call could outlast a third of the lease");
        }
        checkCount("replicas", replicas);
        checkCount("synced-replicas", syncedReplicas);
        if (syncedReplicas > 0 && longest.compareTo(SHORTEST_FOR_DISKS) < 0) {
            throw new InvalidSettingException(
                    PREFIX + "synced-replicas",
                    "replicas tell about once a second what they have synced, and " + PREFIX + "timeout " + longest
                            + " is shorter than " + SHORTEST_FOR_DISKS
                            + ": raise it, and idem.redis.command-timeout with it");
        }
        return new ReplicationSettings(replicas, syncedLocally, syncedReplicas, longest);
    }

    private static void checkCount(String name, int value) {
        if (value < 0 || value > ReplicationSettings.MOST_REPLICAS) {
            throw new InvalidSettingException(
                    PREFIX + name, value + " is not between 0 and " + ReplicationSettings.MOST_REPLICAS);
        }
    }
}
