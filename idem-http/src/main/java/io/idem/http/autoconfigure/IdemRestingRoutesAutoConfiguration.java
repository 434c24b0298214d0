package io.idem.http.autoconfigure;

import static io.idem.InboxTransaction.LAST_PHASE;

import io.idem.ExecutionPolicy;
import io.idem.Scope;
import io.idem.http.IdempotentRoute;
import io.idem.http.RouteOptions;
import io.idem.http.Routes;
import io.idem.http.internal.admission.AnnotatedRoutes;
import io.idem.http.internal.admission.RouteSource;
import io.idem.http.internal.servlet.ServletMappedHandlers;
import io.idem.internal.operations.OwnedScopes;
import io.idem.internal.spring.ConditionalOnSwitch;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** Keeps the scopes of the routes for the outbox while the filter is off, so that it sends what was committed in them before. */
@AutoConfiguration
@ConditionalOnClass(RequestMappingInfoHandlerMapping.class)
@ConditionalOnSwitch(value = "idem.http.enabled", is = false)
@EnableConfigurationProperties(IdemHttpProperties.class)
class IdemRestingRoutesAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(IdemRestingRoutesAutoConfiguration.class);

    /** Their scope stands for that of routes without one of their own, which the outbox knows by itself. */
    private static final RouteOptions DEFAULTS =
            RouteOptions.builder(new Scope("http"), ExecutionPolicy.defaults()).build();

    @Bean
    OwnedScopes idemScopesOfRestingRoutes(
            IdemHttpProperties properties,
            ObjectProvider<IdempotentRoute> declared,
            ObjectProvider<RequestMappingInfoHandlerMapping> mappings) {
        SingletonSupplier<Set<String>> names = SingletonSupplier.of(() -> Stream.<RouteSource>of(
                        new ConfiguredRoutes(properties, LAST_PHASE::equals),
                        () -> declared.stream().toList(),
                        new AnnotatedRoutes(() -> ServletMappedHandlers.in(mappings), () -> false))
                .flatMap(IdemRestingRoutesAutoConfiguration::scopes)
                .filter(scope -> !scope.equals(DEFAULTS.scope()))
                .map(Scope::name)
                .collect(Collectors.toSet()));
        return names::obtain;
    }

    private static Stream<Scope> scopes(RouteSource source) {
        try {
            List<IdempotentRoute> routes = source.routes().stream()
                    .map(route -> route.with(options -> options.inboxIf(LAST_PHASE::equals)))
                    .toList();
            return new Routes(routes, DEFAULTS).options().stream().map(RouteOptions::scope);
        } catch (RuntimeException invalid) {
            LOG.debug("Routes that are not served are not valid, and their scopes are not known", invalid);
            return Stream.empty();
        }
    }
}
