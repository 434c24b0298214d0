package io.idem.redis.store;

import io.idem.GuardAction;
import io.idem.internal.redis.client.Finding;
import io.idem.redis.UnsuitableRedisException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the server's clock, by which leases are counted. A step forward ends leases early, a step back makes them
 * longer. Fences keep growing as long as their records exist. Thread-safe.
 */
final class ServerClock {

    private static final Logger LOG = LoggerFactory.getLogger(ServerClock.class);

    /**
     * The difference that is not reported: nodes of a cluster, and replies that overtake each other, may be this far
     * apart.
     */
    private static final Duration UNREMARKABLE = Duration.ofSeconds(2);

    private static final Duration LARGEST_GAP = Duration.ofSeconds(30);

    private final GuardAction onGap;
    private final InstantSource local;
    private final AtomicReference<Instant> latest = new AtomicReference<>(Instant.EPOCH);

    ServerClock(GuardAction onGap, InstantSource local) {
        this.onGap = onGap;
        this.local = local;
    }

    /**
     * Compares the server's clock with this machine's.
     *
     * @throws UnsuitableRedisException if they differ too much and the setting says to refuse the server
     */
    void compare(Instant server) {
        saw(server);
        Duration gap = Duration.between(local.instant(), server).abs();
        if (gap.compareTo(LARGEST_GAP) > 0) {
            new Finding(
                            "The clocks of Redis and of this machine are " + gap.toSeconds()
                                    + " s apart: one of them is wrong, and leases go by that of Redis",
                            "synchronise both clocks",
                            "checks.clock")
                    .report(onGap);
        }
    }

    /** Reports a step of the server's clock, if its present time shows one. */
    void saw(Instant server) {
        Instant before = latest.getAndSet(server);
        if (onGap != GuardAction.OFF && server.plus(UNREMARKABLE).isBefore(before)) {
            LOG.warn(
                    "The clock of Redis was set back by {} s: leases that were granted before last so much longer;"
                            + " synchronise it by slewing, not by stepping. To accept it, set"
                            + " idem.redis.checks.clock=off",
                    Duration.between(server, before).toSeconds());
        }
    }
}
