package io.idem.consumer.autoconfigure;

import io.idem.consumer.internal.delivery.ListenerStops;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * The health contributor {@code idemListeners}: down while a listener is stopped because idem refuses its
 * configuration.
 */
@AutoConfiguration(after = IdemConsumerAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
class IdemListenersHealthAutoConfiguration {

    @Bean
    @ConditionalOnEnabledHealthIndicator("idemListeners")
    @ConditionalOnBean(ListenerStops.class)
    @ConditionalOnMissingBean(name = "idemListenersHealthIndicator")
    HealthIndicator idemListenersHealthIndicator(ListenerStops stops) {
        return () -> health(stops.reasons());
    }

    private static Health health(List<String> stopped) {
        return stopped.isEmpty()
                ? Health.up().build()
                : Health.down().withDetail("stopped", stopped).build();
    }
}
