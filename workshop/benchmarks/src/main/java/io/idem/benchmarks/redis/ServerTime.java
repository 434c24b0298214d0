package io.idem.benchmarks.redis;

import io.idem.servers.RunningRedis;
import java.util.Arrays;

/** Redis's own account of the time that its commands took. */
public final class ServerTime {

    private final RunningRedis redis;

    /** The account of this server. */
    public ServerTime(RunningRedis redis) {
        this.redis = redis;
    }

    /** Forgets what was counted. */
    public void reset() {
        redis.command("CONFIG", "RESETSTAT");
    }

    /** Microseconds in these commands since the reset, with what scripts called. */
    public double microseconds(String... commands) {
        return Arrays.stream(commands)
                .mapToDouble(command -> fact(command, "usec"))
                .sum();
    }

    /** Calls of these commands since the reset. */
    public double calls(String... commands) {
        return Arrays.stream(commands)
                .mapToDouble(command -> fact(command, "calls"))
                .sum();
    }

    /** Calls of whatever clients and their scripts sent since the reset, without those of this account itself. */
    public double calls() {
        return redis.command("INFO", "commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_"))
                .filter(line -> !line.startsWith("cmdstat_config") && !line.startsWith("cmdstat_info"))
                .map(line -> line.substring(line.indexOf(':') + 1))
                .mapToDouble(facts -> value(facts, "calls"))
                .sum();
    }

    private double fact(String command, String name) {
        return value(redis.info("cmdstat_" + command), name);
    }

    private static double value(String facts, String name) {
        return Arrays.stream(facts.split(","))
                .filter(part -> part.startsWith(name + "="))
                .mapToDouble(part -> Double.parseDouble(part.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }
}
