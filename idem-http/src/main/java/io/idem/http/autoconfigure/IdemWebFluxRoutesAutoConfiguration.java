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
 * What a reactive application puts on its functional routes. There is one also where the filter is switched off: then it lets
 * everything through, so that the routes need not change. Made only for those that ask for it.
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
