package io.idem.http.autoconfigure;

import io.idem.http.internal.admission.FunctionalRoutes;
import io.idem.http.servlet.IdempotencyHandlerFilter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * The handler filter for the functional routes of a servlet application. If idempotency is switched off, the filter lets every request
 * through, so that the routes need no change. Created only if a bean asks for it.
 */
@AutoConfiguration(after = IdemHttpAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class IdemFunctionalRoutesAutoConfiguration {

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "idem.http.enabled", matchIfMissing = true)
    IdempotencyHandlerFilter idemHandlerFilter(FunctionalRoutes routes) {
        return IdempotencyHandlerFilter.of(routes);
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "idem.http.enabled", havingValue = "false")
    IdempotencyHandlerFilter idemHandlerFilterOff(ObjectProvider<FunctionalRoutes> routes) {
        return IdempotencyHandlerFilter.off(routes.getIfAvailable(FunctionalRoutes::new));
    }
}
