package io.idem.internal.redis.client;

import io.idem.GuardAction;
import io.idem.redis.ReplicationSettings;
import io.idem.redis.ServerGuards;
import io.idem.redis.UnsuitableRedisException;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that a server is new enough for the scripts, does not evict records, and persists them. Reads {@code INFO},
 * which hosted servers answer even if they hide {@code CONFIG}.
 */
final class RedisRequirements {

    private static final Logger LOG = LoggerFactory.getLogger(RedisRequirements.class);
    private static final int OLDEST_MAJOR_VERSION = 7;
    private static final String SAFE_POLICY = "noeviction";

    private final ServerGuards guards;
    private final ReplicationSettings replication;

    RedisRequirements(ServerGuards guards) {
        this(guards, ReplicationSettings.NONE);
    }

    RedisRequirements(ServerGuards guards, ReplicationSettings replication) {
        this.guards = guards;
        this.replication = replication;
    }

    /**
     * Checks the answer to {@code INFO}.
     *
     * @throws UnsuitableRedisException if the server must not be used
     */
    void check(String info) {
        Map<String, String> facts = facts(info);
        checkVersion(facts.getOrDefault("redis_version", ""));
        checkPolicy(facts.getOrDefault("maxmemory_policy", ""));
        checkPersistence(facts.getOrDefault("aof_enabled", ""));
        if (replication.isOn()) {
            checkReplication(facts);
        }
    }

    private static Map<String, String> facts(String info) {
        return info.lines()
                .filter(line -> line.indexOf(':') > 0)
                .map(String::strip)
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(':')),
                        line -> line.substring(line.indexOf(':') + 1),
                        (first, second) -> first));
    }

    /** Returns whether the server says that it is a replica, which accepts no writes. */
    static boolean isReplica(String info) {
        return facts(info).getOrDefault("role", "").equals("slave");
    }

    private void checkReplication(Map<String, String> facts) {
        String version = facts.getOrDefault("redis_version", "");
        if (replication.asksDisks() && version.matches("[0-6]\\..*|7\\.[01]\\..*")) {
            throw new UnsuitableRedisException(
                    "Redis is version " + version + ", which cannot tell what append-only files have synced",
                    "upgrade it to 7.2 or newer, or set idem.redis.replication.durability=memory");
        }
        if (replication.syncedLocally() && facts.getOrDefault("aof_enabled", "").equals("0")) {
            throw new UnsuitableRedisException(
                    "Redis keeps no append-only file, which idem.redis.replication.durability=fsync counts on",
                    "set appendonly yes in Redis, or remove that setting");
        }
        String replicas = facts.getOrDefault("connected_slaves", "");
        boolean master = facts.getOrDefault("role", "").equals("master");
        if (master && replicas.matches("\\d{1,9}") && Integer.parseInt(replicas) < replication.leastReplicas()) {
            LOG.warn(
                    "Redis has {} replicas, and {} must confirm every grant: until they are there, no work is run",
                    replicas,
                    replication.leastReplicas());
        }
    }

    private static void checkVersion(String version) {
        String major = version.replaceFirst("\\..*", "");
        if (!major.matches("\\d{1,9}")) {
            LOG.warn("Redis does not tell its version; idem needs {}.0 or newer", OLDEST_MAJOR_VERSION);
        } else if (Integer.parseInt(major) < OLDEST_MAJOR_VERSION) {
            throw new UnsuitableRedisException(
                    "Redis is version " + version + ", and the scripts need " + OLDEST_MAJOR_VERSION + ".0 or newer",
                    "upgrade Redis, or point the application to a newer one");
        }
    }

    private void checkPolicy(String policy) {
        if (policy.isEmpty() && guards.evictionPolicy() != GuardAction.OFF) {
            LOG.warn("Redis does not tell its maxmemory-policy; make sure that it is {}", SAFE_POLICY);
        } else if (!policy.isEmpty() && !policy.equals(SAFE_POLICY)) {
            new Finding(
                            "Redis has maxmemory-policy " + policy
                                    + ": under memory pressure it evicts records, and duplicates of that work run again",
                            "set maxmemory-policy " + SAFE_POLICY + ", or give idem a Redis of its own",
                            "checks.eviction-policy")
                    .report(guards.evictionPolicy());
        }
    }

    private void checkPersistence(String appendOnly) {
        if (appendOnly.equals("0")) {
            new Finding(
                            "Redis keeps no append-only file: when it crashes it forgets what was written since its last"
                                    + " snapshot, and duplicates of that work run again",
                            "set appendonly yes, or use the inbox",
                            "checks.persistence")
                    .report(guards.persistence());
        }
    }
}
