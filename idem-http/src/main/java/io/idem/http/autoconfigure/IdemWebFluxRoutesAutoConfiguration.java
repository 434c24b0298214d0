package io.idem.http.autoconfigure;

import io.idem.http.internal.admission.FunctionalRoutes;
import io.idem.http.internal.webflux.WebFilterParts;
import io.idem.http.webflux.ReactiveIdempotencyHandlerFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * The handler filter for the functional routes of a reactive application. If idempotency is switched off, the filter lets every request
 * through, so that the routes need no change. Created only if a bean asks for it.
 */
@AutoConfiguration(after = IdemWebFluxAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class IdemWebFluxRoutesAutoConfiguration {

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "idem.http.enabled", matchIfMissing = true)
    ReactiveIdempotencyHandlerFilter idemHandlerFilter(WebFilterParts parts, FunctionalRoutes routes) {
        return ReactiveIdempotencyHandlerFilter.of(routes, parts);
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "idem.http.enabled", havingValue = "false")
    ReactiveIdempotencyHandlerFilter idemHandlerFilterOff() {
        return ReactiveIdempotencyHandlerFilter.off();
    }
}
