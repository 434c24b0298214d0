package io.idem.gateway.autoconfigure;

import io.idem.gateway.handoff.HandOff;
import io.idem.gateway.internal.handoff.Probe;
import io.idem.gateway.internal.intake.IntakeRoutes;
import io.idem.internal.operations.StoreCheck;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The intake's health: its store, and the brokers that its routes go to. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
class HealthConfiguration {

    /** Asks the routes first: then the brokers are known. Its setting stands in the additional metadata. */
    @Bean
    @ConditionalOnEnabledHealthIndicator("idem-intake")
    @ConditionalOnMissingBean(name = "idemIntakeHealthIndicator")
    HealthIndicator idemIntakeHealthIndicator(StoreCheck store, HandOff handOff, IntakeRoutes routes) {
        Map<String, Probe> probes = new TreeMap<>(handOff.brokers());
        probes.put("store", () -> check(store));
        return new IntakeHealth(probes);
    }

    /** Asks as the contributor {@code idem} does: the store is asked once for both. */
    private static void check(StoreCheck store) {
        Optional<RuntimeException> failure = store.failure();
        if (failure.isPresent()) {
            throw failure.get();
        }
    }
}
