package io.idem.http.autoconfigure;

import io.idem.http.internal.admission.RouteMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Metrics per route, for applications that have a registry. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterRegistry.class)
class MetricsConfiguration {

    @Bean
    @ConditionalOnMissingBean
    RouteMetrics idemRouteMetrics(ObjectProvider<MeterRegistry> registries) {
        MeterRegistry registry = registries.getIfUnique();
        return registry == null ? RouteMetrics.NONE : new RouteMetricsBinder(registry);
    }
}
