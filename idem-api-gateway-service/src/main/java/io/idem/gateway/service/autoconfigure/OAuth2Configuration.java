package io.idem.gateway.service.autoconfigure;

import io.idem.gateway.internal.intake.ScopedRoute;
import io.idem.gateway.service.internal.access.OpenPaths;
import io.idem.http.internal.servlet.Refusals;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;

/** Authentication by tokens. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({BearerTokenAuthenticationFilter.class, JwtDecoder.class})
@Conditional(OAuth2Condition.class)
class OAuth2Configuration {

    @Bean
    @ConditionalOnMissingBean(SecurityFilterChain.class)
    SecurityFilterChain idemIntakeOAuth2Chain(
            HttpSecurity http,
            OpenPaths open,
            ScopedRoute.All scoped,
            Refusals refusals,
            ObjectProvider<JwtDecoder> jwts,
            ObjectProvider<OpaqueTokenIntrospector> opaque) {
        TokenSources.requireOne(jwts, opaque);
        return new OAuth2Chain(open, scoped, refusals)
                .build(http, jwts.stream().findAny().isEmpty());
    }
}
