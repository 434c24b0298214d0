package io.idem.autoconfigure;

import io.idem.internal.spring.InvalidSettingException;
import io.idem.redis.ReplicationSettings;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem.redis.replication}: what replicas must confirm before a grant or an outcome counts.
 *
 * @param replicas so many replicas must confirm it; 0, the default, asks none
 * @param durability what is confirmed: memory (replicas have received it) or fsync (replicas and the master, also with replicas=0,
 *     have synced it to their append-only files; needs Redis 7.2)
 * @param timeout how long Redis waits for them; at most the command timeout; default half of that
 */
record ReplicationProperties(
        @DefaultValue("0") int replicas,
        @DefaultValue("memory") Durability durability,
        @Nullable Duration timeout) {

    private static final String PREFIX = "idem.redis.replication.";

    /** The shortest timeout for disks, because replicas report about once a second what they have synced. */
    private static final Duration SHORTEST_FOR_DISKS = Duration.ofSeconds(2);

    /** Returns the settings for the engine, checked against the command timeout. */
    ReplicationSettings settings(Duration commandTimeout) {
        Duration half = commandTimeout.toMillis() < 2 ? commandTimeout : commandTimeout.dividedBy(2);
        Duration longest = Objects.requireNonNullElse(timeout, half);
        if (longest.compareTo(commandTimeout) > 0) {
            throw new InvalidSettingException(
                    PREFIX + "timeout",
                    longest + " is longer than idem.redis.command-timeout " + commandTimeout
                            + ": a call could outlast a third of the lease");
        }
        if (replicas < 0 || replicas > ReplicationSettings.MOST_REPLICAS) {
            throw new InvalidSettingException(
                    PREFIX + "replicas", replicas + " is not between 0 and " + ReplicationSettings.MOST_REPLICAS);
        }
        boolean synced = durability == Durability.FSYNC;
        if (synced && replicas > 0 && longest.compareTo(SHORTEST_FOR_DISKS) < 0) {
            throw new InvalidSettingException(
                    PREFIX + "durability",
                    "replicas tell about once a second what they have synced, and " + PREFIX + "timeout " + longest
                            + " is shorter than " + SHORTEST_FOR_DISKS
                            + ": raise it, and idem.redis.command-timeout with it");
        }
        return InvalidSettingException.named(
                PREFIX, () -> new ReplicationSettings(synced ? 0 : replicas, synced, synced ? replicas : 0, longest));
    }

    /** Where a write must be before it is confirmed. */
    enum Durability {
        /** In the memory of the replicas. */
        MEMORY,
        /** In the append-only files of the master and of the replicas. */
        FSYNC
    }
}
