package io.idem.gateway.service.autoconfigure;

import io.idem.gateway.service.internal.limits.InFlightFilter;
import io.idem.gateway.service.internal.limits.RateLimitFilter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters of the limits that are set, for applications that have a registry. Tenants are no tags: there may be too many. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterRegistry.class)
class LimitMetersConfiguration {

    private static final String REFUSED = "idem.gateway.refused";

    @Bean
    SmartInitializingSingleton idemLimitMeters(
            ObjectProvider<MeterRegistry> registries,
            FilterRegistrationBean<InFlightFilter> inFlight,
            FilterRegistrationBean<RateLimitFilter> rate) {
        return () -> registries.ifUnique(registry -> {
            if (inFlight.isEnabled()) {
                meter(registry, Objects.requireNonNull(inFlight.getFilter()));
            }
            if (rate.isEnabled()) {
                meter(registry, Objects.requireNonNull(rate.getFilter()));
            }
        });
    }

    private static void meter(MeterRegistry registry, InFlightFilter filter) {
        Gauge.builder("idem.gateway.in-flight", filter.limit(), limit -> limit.inFlight())
                .description("Requests in flight")
                .register(registry);
        FunctionCounter.builder(REFUSED, filter.limit(), limit -> limit.refused())
                .description("Requests refused by a limit")
                .tag("limit", "in-flight")
                .register(registry);
    }

    private static void meter(MeterRegistry registry, RateLimitFilter filter) {
        FunctionCounter.builder(REFUSED, filter, RateLimitFilter::refused)
                .description("Requests refused by a limit")
                .tag("limit", "rate")
                .register(registry);
    }
}
