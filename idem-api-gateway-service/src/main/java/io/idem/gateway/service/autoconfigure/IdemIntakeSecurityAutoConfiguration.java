package io.idem.gateway.service.autoconfigure;

import io.idem.gateway.internal.intake.IntakeRoutes;
import io.idem.gateway.service.GatewayApplication;
import io.idem.gateway.service.internal.access.OpenPaths;
import io.idem.http.internal.servlet.Refusals;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Auto-configuration of Spring Security in an intake, unless the application has a chain of its own. Comes before
 * Spring Boot's default chains.
 */
@AutoConfiguration(
        afterName = "io.idem.gateway.autoconfigure.IdemGatewayAutoConfiguration",
        beforeName = {
            "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.web"
                    + ".OAuth2ResourceServerWebSecurityAutoConfiguration"
        })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(HttpSecurity.class)
@ConditionalOnBean(IntakeRoutes.class)
@Import(OAuth2Configuration.class)
class IdemIntakeSecurityAutoConfiguration {

    /** The prefix of the names of idem's own chains. */
    static final String OWN = "idemIntake";

    @Bean
    @ConditionalOnAuthentication(Authentication.CLIENT_CERTIFICATE)
    @ConditionalOnMissingBean(SecurityFilterChain.class)
    SecurityFilterChain idemIntakeClientCertificateChain(HttpSecurity http, OpenPaths open, Refusals refusals) {
        return new ClientCertificateChain(open, refusals).build(http);
    }

    /**
     * Passes all requests on. The service has Spring Security on its class path even if it is not used; then requests
     * are left to the filter of the API keys, or to a proxy in front of the service.
     */
    @Bean
    @ConditionalOnAuthentication({Authentication.API_KEY, Authentication.NONE})
    @ConditionalOnBean(GatewayApplication.class)
    @ConditionalOnMissingBean(SecurityFilterChain.class)
    SecurityFilterChain idemIntakePassingChain(HttpSecurity http) {
        return http.csrf(csrf -> csrf.disable())
                .logout(logout -> logout.disable())
                .anonymous(anonymous -> anonymous.disable())
                .requestCache(cache -> cache.disable())
                .securityContext(context -> context.disable())
                .sessionManagement(sessions -> sessions.disable())
                .build();
    }
}
