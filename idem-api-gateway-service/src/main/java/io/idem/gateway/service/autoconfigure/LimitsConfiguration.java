package io.idem.gateway.service.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.gateway.service.internal.access.OpenPaths;
import io.idem.gateway.service.internal.limits.InFlightFilter;
import io.idem.gateway.service.internal.limits.InFlightLimit;
import io.idem.gateway.service.internal.limits.RateLimitFilter;
import io.idem.gateway.service.limits.RateLimit;
import io.idem.http.internal.servlet.IdempotencyFilterParts;
import io.idem.http.internal.servlet.Refusals;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The limits of an intake, from the settings or a {@code RateLimit} bean. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(IdemGatewayLimitsProperties.class)
class LimitsConfiguration {

    private static final String BODY_TIMEOUT = "idem.gateway.limits.body-timeout";

    LimitsConfiguration(Environment environment) {
        if (Binder.get(environment).bind(BODY_TIMEOUT, String.class).isBound()) {
            throw new ConfigurationException(
                    "Setting " + BODY_TIMEOUT + " was removed, and nothing bounds the time of a whole body",
                    "Remove it. Let a proxy in front of the intake buffer bodies and bound their time, or bound the time"
                            + " without a byte by server.tomcat.connection-timeout");
        }
    }

    @Bean
    FilterRegistrationBean<InFlightFilter> idemInFlightFilter(
            IdemGatewayLimitsProperties properties, OpenPaths open, Refusals refusals) {
        Optional<InFlightLimit> limit = properties.inFlightLimit();
        FilterRegistrationBean<InFlightFilter> registration = new FilterRegistrationBean<>(
                new InFlightFilter(limit.orElseGet(() -> new InFlightLimit(Integer.MAX_VALUE)), open, refusals));
        registration.setOrder(InFlightFilter.ORDER);
        registration.setEnabled(limit.isPresent());
        return registration;
    }

    @Bean
    FilterRegistrationBean<RateLimitFilter> idemRateLimitFilter(
            IdemGatewayLimitsProperties properties,
            ObjectProvider<RateLimit> own,
            IdempotencyFilterParts parts,
            OpenPaths open,
            Refusals refusals) {
        Optional<RateLimit> limit = Optional.ofNullable(own.getIfAvailable()).or(properties::rateLimit);
        FilterRegistrationBean<RateLimitFilter> registration = new FilterRegistrationBean<>(new RateLimitFilter(
                limit.orElse(tenant -> Optional.empty()), parts.common().tenants(), open, refusals));
        registration.setOrder(RateLimitFilter.ORDER);
        registration.setEnabled(limit.isPresent());
        return registration;
    }

    /**
     * Meters of the limits that are set, for applications with a registry. Tenants are not used as tags, because there
     * may be too many.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Meters {

        @Bean
        SmartInitializingSingleton idemLimitMeters(
                ObjectProvider<MeterRegistry> registries,
                FilterRegistrationBean<InFlightFilter> inFlight,
                FilterRegistrationBean<RateLimitFilter> rate) {
            return () -> registries.ifUnique(registry -> {
                if (inFlight.isEnabled()) {
                    InFlightLimit limit =
                            Objects.requireNonNull(inFlight.getFilter()).limit();
                    Gauge.builder("idem.gateway.in-flight", limit, InFlightLimit::inFlight)
                            .description("Requests in flight")
                            .register(registry);
                    count(registry, "in-flight", limit, InFlightLimit::refused);
                }
                if (rate.isEnabled()) {
                    count(registry, "rate", Objects.requireNonNull(rate.getFilter()), RateLimitFilter::refused);
                }
            });
        }

        private static <L> void count(MeterRegistry registry, String name, L limit, ToDoubleFunction<L> refused) {
            FunctionCounter.builder("idem.gateway.refused", limit, refused)
                    .description("Requests refused by a limit")
                    .tag("limit", name)
                    .register(registry);
        }
    }
}
