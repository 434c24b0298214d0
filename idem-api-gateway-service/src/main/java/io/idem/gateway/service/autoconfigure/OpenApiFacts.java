package io.idem.gateway.service.autoconfigure;

import io.idem.gateway.IntakeRoute;
import io.idem.gateway.internal.intake.GatewayProblem;
import io.idem.gateway.internal.intake.IntakeRoutes;
import io.idem.gateway.internal.intake.OutcomeWaits;
import io.idem.gateway.service.internal.openapi.Credentials;
import io.idem.gateway.service.internal.openapi.DescribedIntake;
import io.idem.gateway.service.internal.openapi.DescribedRoute;
import io.idem.http.ErrorBody;
import io.idem.http.HttpProblem;
import io.idem.http.Problem;
import io.idem.http.Routes;
import io.idem.http.internal.admission.FilterParts;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.core.env.Environment;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Collects the facts about an application's intake for its description.
 *
 * @param idle the problems of limits that are not set
 */
record OpenApiFacts(
        IdemGatewayServiceProperties properties,
        String operationsPath,
        Environment environment,
        Set<GatewayProblem> idle,
        OutcomeWaits waits) {

    private static final Set<GatewayProblem> OF_CALLERS = EnumSet.of(
            GatewayProblem.UNAUTHENTICATED, GatewayProblem.ACCESS_DENIED, GatewayProblem.AUTHENTICATION_UNAVAILABLE);

    DescribedIntake intake(IntakeRoutes intake, FilterParts parts, ErrorBody errors) {
        Routes known = parts.routes().get();
        List<DescribedRoute> routes = intake.each((route, guarded) ->
                        known.of(guarded).map(options -> new DescribedRoute(route, options, open(route))))
                .flatMap(Optional::stream)
                .toList();
        IdemGatewayServiceProperties.OpenApi settings = properties.openapi();
        return new DescribedIntake(
                Objects.requireNonNullElseGet(
                        settings.title(), () -> environment.getProperty("spring.application.name", "intake")),
                settings.version(),
                basePath(),
                routes,
                operationsPath,
                Optional.of(waits.longest()).filter(longest -> waits.possible()),
                parts,
                errors.mediaType(),
                problems(),
                credentials());
    }

    /** Returns the path before all routes; the servlet's path is "/" if it is not set. */
    private String basePath() {
        String servlet = environment.getProperty("spring.mvc.servlet.path", "/");
        return environment.getProperty("server.servlet.context-path", "") + (servlet.equals("/") ? "" : servlet);
    }

    private boolean open(IntakeRoute route) {
        PathContainer path = PathContainer.parsePath(route.path());
        return properties.openPaths().stream()
                .map(PathPatternParser.defaultInstance::parse)
                .anyMatch(pattern -> pattern.matches(path));
    }

    private List<Problem> problems() {
        return Stream.<Problem>concat(Arrays.stream(HttpProblem.values()), Arrays.stream(GatewayProblem.values()))
                .filter(problem -> credentials().isPresent() || !OF_CALLERS.contains(problem))
                .filter(problem -> !idle.contains(problem))
                .toList();
    }

    private Optional<Credentials> credentials() {
        return switch (properties.authentication()) {
            case API_KEY -> Optional.of(Credentials.API_KEY);
            case OAUTH2 -> Optional.of(Credentials.TOKEN);
            case CLIENT_CERTIFICATE -> Optional.of(Credentials.CERTIFICATE);
            case NONE -> Optional.empty();
        };
    }
}
