package io.idem.gateway.service.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.gateway.internal.intake.ScopedRoute;
import io.idem.gateway.service.internal.access.OpenPaths;
import io.idem.http.internal.servlet.Refusals;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AuthorizeHttpRequestsConfigurer;
import org.springframework.security.config.annotation.web.configurers.oauth2.server.resource.OAuth2ResourceServerConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;

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
        return new OAuth2Chain(open, scoped, new BearerRefusals(refusals))
                .build(http, jwts.stream().findAny().isEmpty());
    }

    private static void requireOneSource(ObjectProvider<?> jwts, ObjectProvider<?> opaque) {
        boolean withJwts = jwts.stream().findAny().isPresent();
        boolean withOpaque = opaque.stream().findAny().isPresent();
        if (!withJwts && !withOpaque) {
            throw new ConfigurationException(
                    "idem.gateway.authentication=oauth2, and nothing says how tokens are verified",
                    "Set " + SETTINGS + "jwt.issuer-uri, jwt.jwk-set-uri or jwt.public-key-location, or " + SETTINGS
                            + "opaquetoken.introspection-uri with client-id and client-secret");
        }
        if (withJwts && withOpaque) {
            throw new ConfigurationException(
                    "idem.gateway.authentication=oauth2, and tokens would be verified in two ways",
                    "Set either " + SETTINGS + "jwt or " + SETTINGS
                            + "opaquetoken, or declare a SecurityFilterChain that decides");
        }
    }

    /**
     * Spring Security's filter chain of an intake whose callers have tokens: without sessions, forms, or other ways to
     * authenticate.
     */
    private record OAuth2Chain(OpenPaths open, ScopedRoute.All scoped, BearerRefusals refusals) {

        /**
         * Returns a chain for all requests.
         *
         * @param opaque whether tokens are opaque, so that the authorization server is asked about them, rather than
         *     JWTs
         */
        SecurityFilterChain build(HttpSecurity http, boolean opaque) {
            return http.csrf(csrf -> csrf.disable())
                    .logout(logout -> logout.disable())
                    .requestCache(cache -> cache.disable())
                    .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                    .authorizeHttpRequests(this::authorize)
                    .oauth2ResourceServer(server -> authenticate(server, opaque))
                    .build();
        }

        /**
         * Permits other dispatches, which belong to a request that has passed and have no credentials of their own; but a forward or a
         * dispatch to a route needs the scope of that route.
         */
        private void authorize(
                AuthorizeHttpRequestsConfigurer<HttpSecurity>.AuthorizationManagerRequestMatcherRegistry requests) {
            requests.dispatcherTypeMatchers(DispatcherType.ERROR).permitAll();
            requests.requestMatchers(open::include).permitAll();
            mostSpecificFirst()
                    .forEach(route -> requests.requestMatchers(request -> reaches(request, route))
                            .hasAuthority("SCOPE_" + route.scope()));
            requests.dispatcherTypeMatchers(DispatcherType.FORWARD, DispatcherType.ASYNC)
                    .permitAll();
            requests.anyRequest().authenticated();
        }

        /**
         * Returns the routes, the most specific first: it is the one that runs of overlapping routes, and the first
         * matching rule decides.
         */
        private Stream<ScopedRoute> mostSpecificFirst() {
            return scoped.routes().stream()
                    .filter(route -> route.path() != null)
                    .sorted(Comparator.comparing(OAuth2Chain::pattern));
        }

        /** Compares the path of this dispatch: Spring Security's matchers compare the one that the dispatcher servlet has parsed before. */
        private static boolean reaches(HttpServletRequest request, ScopedRoute route) {
            return route.method().matches(request.getMethod())
                    && pattern(route)
                            .matches(ServletRequestPathUtils.parse(request).pathWithinApplication());
        }

        private static PathPattern pattern(ScopedRoute route) {
            return Objects.requireNonNull(route.path());
        }

        private void authenticate(OAuth2ResourceServerConfigurer<HttpSecurity> server, boolean opaque) {
            if (opaque) {
                server.opaqueToken(Customizer.withDefaults());
            } else {
                server.jwt(Customizer.withDefaults());
            }
            server.authenticationEntryPoint(refusals)
                    .accessDeniedHandler(refusals)
                    .addObjectPostProcessor(new ObjectPostProcessor<BearerTokenAuthenticationFilter>() {
                        @Override
                        public <O extends BearerTokenAuthenticationFilter> O postProcess(O filter) {
                            filter.setAuthenticationFailureHandler(refusals);
                            return filter;
                        }
                    });
        }
    }
}
