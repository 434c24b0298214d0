package io.idem.benchmarks.redis;

import io.idem.servers.RunningRedis;
import java.util.Arrays;

/** The time and the number of commands, as Redis counts them. */
public final class ServerTime {

    private final RunningRedis redis;

    public ServerTime(RunningRedis redis) {
        this.redis = redis;
    }

    public void reset() {
        redis.command("CONFIG", "RESETSTAT");
    }

    /** Returns the microseconds spent in these commands since the reset, including the commands that scripts called. */
    public double microseconds(String... commands) {
        return Arrays.stream(commands)
                .mapToDouble(command -> fact(command, "usec"))
                .sum();
    }

    /** Returns the number of calls of these commands since the reset. */
    public double calls(String... commands) {
        return Arrays.stream(commands)
                .mapToDouble(command -> fact(command, "calls"))
                .sum();
    }

    /** Returns the number of commands from clients and their scripts since the reset, except those of this class. */
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
