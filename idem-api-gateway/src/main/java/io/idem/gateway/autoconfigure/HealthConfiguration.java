package io.idem.gateway.autoconfigure;

import io.idem.MonotonicClock;
import io.idem.gateway.handoff.HandOff;
import io.idem.gateway.internal.handoff.Probe;
import io.idem.gateway.internal.intake.IntakeRoutes;
import io.idem.internal.operations.PacedAnswer;
import io.idem.internal.operations.StoreCheck;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health of the intake: its store, and the brokers of its routes. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
class HealthConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(HealthConfiguration.class);

    /**
     * Depends on the routes, because the brokers are known only when they are created. The setting is described in the
     * additional metadata.
     */
    @Bean
    @ConditionalOnEnabledHealthIndicator("idem-intake")
    @ConditionalOnMissingBean(name = "idemIntakeHealthIndicator")
    HealthIndicator idemIntakeHealthIndicator(StoreCheck store, HandOff handOff, IntakeRoutes routes) {
        Map<String, Probe> probes = new TreeMap<>(handOff.brokers());
        probes.put("store", () -> check(store));
        return new PacedAnswer<>(() -> ask(probes), Health.outOfService().build(), MonotonicClock.SYSTEM)::get;
    }

    /** Uses the same check as the contributor {@code idem}, so that the store is called once for both. */
    private static void check(StoreCheck store) {
        store.failure().ifPresent(why -> {
            throw why;
        });
    }

    /** Reports whether everything answers that a request needs. */
    private static Health ask(Map<String, Probe> probes) {
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
