package io.idem.gateway.service.autoconfigure;

import io.idem.gateway.internal.intake.GatewayConfigurationException;
import io.idem.gateway.internal.intake.ScopedRoute;
import io.idem.gateway.service.internal.access.OpenPaths;
import io.idem.http.internal.servlet.Refusals;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;

/** Authentication of callers by OAuth2 access tokens. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({BearerTokenAuthenticationFilter.class, JwtDecoder.class})
@ConditionalOnAuthentication(Authentication.OAUTH2)
class OAuth2Configuration {

    private static final String SETTINGS = "spring.security.oauth2.resourceserver.";

    @Bean
    @ConditionalOnMissingBean(SecurityFilterChain.class)
    SecurityFilterChain idemIntakeOAuth2Chain(
            HttpSecurity http,
            OpenPaths open,
            ScopedRoute.All scoped,
            Refusals refusals,
            ObjectProvider<JwtDecoder> jwts,
            ObjectProvider<OpaqueTokenIntrospector> opaque) {
        requireOneSource(jwts, opaque);
        return new OAuth2Chain(open, scoped, refusals)
                .build(http, jwts.stream().findAny().isEmpty());
    }

    private static void requireOneSource(ObjectProvider<?> jwts, ObjectProvider<?> opaque) {
        boolean withJwts = jwts.stream().findAny().isPresent();
        boolean withOpaque = opaque.stream().findAny().isPresent();
        if (!withJwts && !withOpaque) {
            throw new GatewayConfigurationException(
                    "idem.gateway.authentication=oauth2, and nothing says how tokens are verified",
                    "Set " + SETTINGS + "jwt.issuer-uri, jwt.jwk-set-uri or jwt.public-key-location, or " + SETTINGS
                            + "opaquetoken.introspection-uri with client-id and client-secret",
                    null);
        }
        if (withJwts && withOpaque) {
            throw new GatewayConfigurationException(
                    "idem.gateway.authentication=oauth2, and tokens would be verified in two ways",
                    "Set either " + SETTINGS + "jwt or " + SETTINGS
                            + "opaquetoken, or declare a SecurityFilterChain that decides",
                    null);
        }
    }
}
