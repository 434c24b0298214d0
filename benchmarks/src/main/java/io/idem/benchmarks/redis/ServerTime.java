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

    private double fact(String command, String name) {
        return Arrays.stream(redis.info("cmdstat_" + command).split(","))
                .filter(part -> part.startsWith(name + "="))
                .mapToDouble(part -> Double.parseDouble(part.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }
}
