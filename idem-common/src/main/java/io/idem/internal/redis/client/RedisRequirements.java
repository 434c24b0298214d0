package io.idem.internal.redis.client;

import static io.idem.GuardAction.FAIL;
import static io.idem.GuardAction.OFF;
import static io.idem.GuardAction.WARN;

import io.idem.GuardAction;
import io.idem.redis.ReplicationSettings;
import io.idem.redis.ServerGuards;
import io.idem.redis.UnsuitableRedisException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Checks that servers are new enough for the scripts, do not evict records, persist them, and have the right time, each
 * time that it looks at them. Reads {@code INFO}, which hosted servers answer even if they hide {@code CONFIG}. What
 * was so at the last look is not logged again. Thread-safe.
 */
final class RedisRequirements {

    private static final Logger LOG = LoggerFactory.getLogger(RedisRequirements.class);
    private static final long LARGEST_CLOCK_GAP = Duration.ofSeconds(30).toMillis();

    /** The step back of a clock that is not reported: answers may overtake each other. */
    private static final long UNREMARKABLE_STEP = Duration.ofSeconds(2).toMillis();

    private final ServerGuards guards;
    private final ReplicationSettings replication;
    private final InstantSource clock;
    private final Map<String, Map<String, String>> lastLook = new HashMap<>();
    private Set<Finding> known = Set.of();
    private long evicted;
    private volatile @Nullable UnsuitableRedisException refusal;

    RedisRequirements(ServerGuards guards, ReplicationSettings replication, InstantSource clock) {
        this.guards = guards;
        this.replication = replication;
        this.clock = clock;
    }

    /** Returns the reason why no work must be granted, by the last look; empty if there is none. */
    Optional<UnsuitableRedisException> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** Returns the number of keys that were evicted between looks. */
    synchronized long evictedKeys() {
        return evicted;
    }

    /** Looks at the answers of all servers to {@code INFO}. */
    synchronized void look(List<String> infos) {
        Set<Finding> found = new LinkedHashSet<>();
        for (String info : infos) {
            Map<String, String> facts = facts(info);
            examine(facts, found);
            examineReplication(facts, found);
            // Several servers that hide their ids cannot be told apart.
            if (infos.size() == 1 || facts.containsKey("run_id")) {
                compareWithLastLook(facts);
            }
        }
        found.stream().filter(finding -> !known.contains(finding)).forEach(Finding::log);
        known = found;
        Optional<Finding> refusing =
                found.stream().filter(finding -> finding.action() == FAIL).findFirst();
        if (refusal != null && refusing.isEmpty()) {
            LOG.info("Redis is suitable again and used for new work");
        }
        refusal = refusing.map(Finding::refusal).orElse(null);
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

    private void examine(Map<String, String> facts, Set<Finding> found) {
        String version = facts.getOrDefault("redis_version", "");
        boolean told = version.matches("\\d.*");
        if (!told || version.matches("[0-6](\\..*)?")) {
            found.add(new Finding(
                    told ? FAIL : WARN,
                    "Redis " + (told ? "is version " + version : "does not tell its version")
                            + ", and the scripts need 7.0 or newer",
                    "upgrade Redis, or point the application to a newer one",
                    ""));
        }
        String policy = facts.getOrDefault("maxmemory_policy", "");
        if (!policy.equals("noeviction")) {
            GuardAction action = guards.evictionPolicy();
            found.add(new Finding(
                    policy.isEmpty() && action == FAIL ? WARN : action,
                    "Redis "
                            + (policy.isEmpty()
                                    ? "does not tell its maxmemory-policy"
                                    : "has maxmemory-policy " + policy)
                            + ": a policy that evicts loses records, and duplicates of that work run again; in front of another"
                            + " store it loses reopenings, and former answers come back",
                    "set maxmemory-policy noeviction, or give idem a Redis of its own",
                    "eviction-policy"));
        }
        if (isOff(facts, "aof_enabled")) {
            found.add(new Finding(
                    guards.persistence(),
                    "Redis keeps no append-only file: when it crashes it forgets what was written since its last"
                            + " snapshot, and duplicates of work whose record was among it run again",
                    "set appendonly yes, or use the inbox",
                    "persistence"));
        }
        if (Math.abs(clock.millis() - millis(facts)) > LARGEST_CLOCK_GAP) {
            found.add(new Finding(
                    guards.clock(),
                    "The clocks of Redis and of this machine are more than 30 s apart: one of them is wrong, and leases in"
                            + " Redis go by its own",
                    "synchronise both clocks",
                    "clock"));
        }
    }

    private void examineReplication(Map<String, String> facts, Set<Finding> found) {
        String version = facts.getOrDefault("redis_version", "");
        if (replication.asksDisks() && version.matches("[0-6]\\..*|7\\.[01]\\..*")) {
            found.add(new Finding(
                    FAIL,
                    "Redis is version " + version + ", which cannot tell what append-only files have synced",
                    "upgrade it to 7.2 or newer, or set idem.redis.replication.durability=memory",
                    ""));
        }
        if (replication.syncedLocally() && isOff(facts, "aof_enabled")) {
            found.add(new Finding(
                    FAIL,
                    "Redis keeps no append-only file, which idem.redis.replication.durability=fsync counts on",
                    "set appendonly yes in Redis, or remove that setting",
                    ""));
        }
        long replicas = number(facts, "connected_slaves", Long.MAX_VALUE);
        if (facts.getOrDefault("role", "").equals("master") && replicas < replication.leastReplicas()) {
            found.add(new Finding(
                    WARN,
                    "Redis has " + replicas + " replicas, and " + replication.leastReplicas()
                            + " must confirm every grant: until they are there, no work is run",
                    "connect them",
                    ""));
        }
    }

    private static boolean isOff(Map<String, String> facts, String name) {
        return facts.getOrDefault(name, "").equals("0");
    }

    private static long number(Map<String, String> facts, String name, long otherwise) {
        String text = facts.getOrDefault(name, "");
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : otherwise;
    }

    /** Returns the time of a server; ours if it does not tell it. */
    private long millis(Map<String, String> facts) {
        return number(facts, "server_time_usec", clock.millis() * 1000) / 1000;
    }

    /**
     * Reports what a server has evicted since the last look at it, and a step back of its clock. One that was restarted
     * has another id and begins anew.
     */
    private void compareWithLastLook(Map<String, String> facts) {
        Map<String, String> before = lastLook.put(facts.getOrDefault("run_id", ""), facts);
        if (before == null) {
            return;
        }
        long evictedBefore = number(before, "evicted_keys", 0);
        long evictedNow = number(facts, "evicted_keys", 0);
        // A smaller number counts from a CONFIG RESETSTAT.
        long keys = evictedNow < evictedBefore ? evictedNow : evictedNow - evictedBefore;
        if (keys > 0) {
            evicted += keys;
            LOG.atLevel(guards.evictionPolicy() == OFF ? Level.DEBUG : Level.ERROR)
                    .log(
                            "Redis has evicted {} keys since the last look: duplicates of work whose record was among them"
                                    + " run again; set maxmemory-policy noeviction, and raise maxmemory",
                            keys);
        }
        long step = millis(before) - millis(facts);
        if (step > UNREMARKABLE_STEP && guards.clock() != OFF) {
            LOG.warn(
                    "The clock of Redis was set back by {} s: leases that were granted before last so much longer;"
                            + " synchronise it by slewing, not by stepping. To accept it, set"
                            + " idem.redis.checks.clock=off",
                    step / 1000);
        }
    }
}
