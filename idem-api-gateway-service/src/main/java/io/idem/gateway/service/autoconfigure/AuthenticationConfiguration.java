package io.idem.gateway.service.autoconfigure;

import io.idem.gateway.internal.intake.ScopedRoute;
import io.idem.gateway.service.internal.access.OpenPaths;
import io.idem.http.TenantResolver;
import java.util.Arrays;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** The common parts of all ways to authenticate. */
@Configuration(proxyBeanMethods = false)
class AuthenticationConfiguration {

    private static final String CHAIN = "org.springframework.security.web.SecurityFilterChain";

    /**
     * Checks the settings first, because other failures would explain less. All ways to authenticate need this bean.
     */
    @Bean
    @ConditionalOnMissingBean
    OpenPaths idemOpenPaths(
            IdemGatewayServiceProperties properties,
            ScopedRoute.All scoped,
            Environment environment,
            ListableBeanFactory beans) {
        new AuthenticationCheck(properties, scoped, environment)
                .check(hasOtherChain(beans), beans.getBeanNamesForType(TenantResolver.class, true, false).length > 0);
        return new OpenPaths(properties.openPaths());
    }

    /**
     * Returns whether the intake decides on the rights of callers. An application's own chain takes that over, unless
     * API keys are configured.
     */
    static boolean judgesCallers(IdemGatewayServiceProperties properties, ListableBeanFactory beans) {
        return properties.authentication() == Authentication.API_KEY || !hasOtherChain(beans);
    }

    private static boolean hasOtherChain(ListableBeanFactory beans) {
        ClassLoader loader = ClassUtils.getDefaultClassLoader();
        return ClassUtils.isPresent(CHAIN, loader)
                && Arrays.stream(beans.getBeanNamesForType(ClassUtils.resolveClassName(CHAIN, loader), true, false))
                        .anyMatch(name -> !name.startsWith(IdemIntakeSecurityAutoConfiguration.OWN));
    }
}
