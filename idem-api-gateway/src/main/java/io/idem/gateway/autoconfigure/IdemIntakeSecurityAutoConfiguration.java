package io.idem.gateway.autoconfigure;

import io.idem.gateway.GatewayApplication;
import io.idem.gateway.OpenPaths;
import io.idem.http.servlet.Refusals;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;

/** What Spring Security does in an intake, unless the application has a chain of its own; before Spring Boot's default chains. */
@AutoConfiguration(
        beforeName = {
            "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.web"
                    + ".OAuth2ResourceServerWebSecurityAutoConfiguration"
        })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({HttpSecurity.class, BearerTokenAuthenticationFilter.class, JwtDecoder.class})
@ConditionalOnBooleanProperty(name = "idem.gateway.enabled", matchIfMissing = true)
@Conditional(IntakeCondition.class)
class IdemIntakeSecurityAutoConfiguration {

    /** How the names of the chains below begin. */
    static final String OWN = "idemIntake";

    @Bean
    @Conditional(OAuth2Condition.class)
    @ConditionalOnMissingBean(SecurityFilterChain.class)
    SecurityFilterChain idemIntakeOAuth2Chain(
            HttpSecurity http,
            OpenPaths open,
            IdemGatewayProperties properties,
            Refusals refusals,
            ObjectProvider<JwtDecoder> jwts,
            ObjectProvider<OpaqueTokenIntrospector> opaque) {
        TokenSources.requireOne(jwts, opaque);
        return new OAuth2Chain(open, properties, refusals)
                .build(http, jwts.stream().findAny().isEmpty());
    }

    /**
     * The service by itself has Spring Security on its class path whether it is used or not: where it is not, it leaves requests to the
     * filter of the API keys, or to whoever stands before the service.
     */
    @Bean
    @Conditional(OtherAuthenticationCondition.class)
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
