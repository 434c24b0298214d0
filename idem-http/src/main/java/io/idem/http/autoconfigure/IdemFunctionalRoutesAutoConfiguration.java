package io.idem.http.autoconfigure;

import io.idem.http.internal.admission.FunctionalRoutes;
import io.idem.http.servlet.IdempotencyHandlerFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * What an application puts on its functional routes. There is one also where the filter is switched off: then it lets everything
 * through, so that the routes need not change. Made only for those that ask for it.
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
    IdempotencyHandlerFilter idemHandlerFilterOff() {
        return IdempotencyHandlerFilter.off();
    }
}
