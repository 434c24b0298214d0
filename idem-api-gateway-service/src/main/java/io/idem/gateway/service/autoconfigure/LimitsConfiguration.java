package io.idem.gateway.service.autoconfigure;

import io.idem.gateway.service.internal.access.OpenPaths;
import io.idem.gateway.service.internal.limits.InFlightFilter;
import io.idem.gateway.service.internal.limits.InFlightLimit;
import io.idem.gateway.service.internal.limits.RateLimitFilter;
import io.idem.gateway.service.limits.RateLimit;
import io.idem.http.internal.servlet.IdempotencyFilterParts;
import io.idem.http.internal.servlet.Refusals;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The limits of an intake: those of the settings, or a {@code RateLimit} bean. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(IdemGatewayLimitsProperties.class)
@Import({LimitMetersConfiguration.class, SlowClientConfiguration.class})
class LimitsConfiguration {

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
}
