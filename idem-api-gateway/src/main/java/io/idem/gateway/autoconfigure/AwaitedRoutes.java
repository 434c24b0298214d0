package io.idem.gateway.autoconfigure;

import io.idem.Scope;
import io.idem.gateway.AwaitedOutcome;
import io.idem.gateway.internal.intake.GatewayConfigurationException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.springframework.http.HttpMethod;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Reads from the settings the routes whose outcome clients may wait for. The routes themselves are checked elsewhere.
 */
final class AwaitedRoutes {

    private AwaitedRoutes() {}

    static List<AwaitedOutcome> in(IdemGatewayProperties properties) {
        List<AwaitedOutcome> awaited = new ArrayList<>();
        for (int index = 0; index < properties.routes().size(); index++) {
            IdemGatewayProperties.Route route = properties.routes().get(index);
            Set<Scope> consumers = consumers(route, "idem.gateway.routes[" + index + "]");
            if (!consumers.isEmpty() && route.path() != null) {
                awaited.add(awaited(route, consumers));
            }
        }
        return awaited;
    }

    private static AwaitedOutcome awaited(IdemGatewayProperties.Route route, Set<Scope> consumers) {
        return new AwaitedOutcome(
                HttpMethod.valueOf(route.httpMethod()),
                PathPatternParser.defaultInstance.parse(Objects.requireNonNull(route.path())),
                consumers,
                route.reopens());
    }

    static Set<Scope> consumers(IdemGatewayProperties.Route route, String name) {
        Set<Scope> scopes = new HashSet<>();
        for (String scope : route.await()) {
            try {
                scopes.add(new Scope(scope));
            } catch (IllegalArgumentException invalid) {
                throw new GatewayConfigurationException(
                        "Setting " + name + ".await: " + invalid.getMessage(),
                        "Name the scopes of consumers, as on their listeners",
                        invalid);
            }
        }
        return scopes;
    }
}
