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

/** What every way to authenticate has. */
@Configuration(proxyBeanMethods = false)
class AuthenticationConfiguration {

    private static final String CHAIN = "org.springframework.security.web.SecurityFilterChain";

    /** Checked on the way to what every way to authenticate needs: whatever else would fail explains less. */
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

    /** Whether the intake says who may do what: a chain of the application's own takes that over, unless API keys are asked for. */
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
