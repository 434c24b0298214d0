package io.idem.gateway.autoconfigure;

import io.idem.gateway.internal.handoff.Probe;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * Whether everything answers that a request needs. One caller at a time asks, and not more than once a second: whoever comes meanwhile gets
 * the last answer. Thread-safe.
 */
final class IntakeHealth implements HealthIndicator {

    private static final Logger LOG = LoggerFactory.getLogger(IntakeHealth.class);
    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    private final Map<String, Probe> probes;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile Health last = Health.outOfService().build();
    private volatile long nextAt = System.nanoTime();

    IntakeHealth(Map<String, Probe> probes) {
        this.probes = Map.copyOf(probes);
    }

    @Override
    public Health health() {
        if (System.nanoTime() - nextAt >= 0 && asking.tryLock()) {
            try {
                last = ask();
                nextAt = System.nanoTime() + PAUSE;
            } finally {
                asking.unlock();
            }
        }
        return last;
    }

    private Health ask() {
        Health.Builder health = Health.up();
        probes.forEach((name, probe) -> {
            if (answers(name, probe)) {
                health.withDetail(name, Status.UP.getCode());
            } else {
                health.down().withDetail(name, Status.DOWN.getCode());
            }
        });
        return health.build();
    }

    private static boolean answers(String name, Probe probe) {
        try {
            probe.check();
            return true;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        } catch (Exception away) {
            LOG.warn("The intake needs its {}, which does not answer: {}", name, away.toString());
            return false;
        }
    }
}
