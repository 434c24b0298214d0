package io.idem.http.autoconfigure;

import io.idem.http.RouteOptions;
import io.idem.http.Routes;
import io.idem.http.internal.admission.FingerprintRules;
import io.idem.http.internal.admission.MappedHandlers;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.Environment;

/** The places where the settings of Spring look for the version of the API in a request. */
final class ApiVersions {

    private static final Logger LOG = LoggerFactory.getLogger(ApiVersions.class);

    private ApiVersions() {}

    /** Returns the headers that have the version. */
    static Set<String> headers(Environment environment) {
        return places(environment, "header")
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    private static Stream<String> places(Environment environment, String kind) {
        return Stream.of("mvc", "webflux")
                .map(stack -> environment.getProperty("spring." + stack + ".apiversion.use." + kind, ""))
                .filter(place -> !place.isEmpty());
    }

    /** Warns of handlers that the version selects, if neither settings nor fingerprint say where requests have it. */
    static void warn(Routes routes, MappedHandlers handlers, Environment environment) {
        boolean known = Stream.of("header", "path-segment", "query-parameter")
                .anyMatch(kind -> places(environment, kind).findAny().isPresent());
        routes.all().stream()
                .filter(route -> !known
                        && handlers.haveVersions(route)
                        && routes.of(route).filter(ApiVersions::comparesHeaders).isEmpty())
                .findFirst()
                .ifPresent(route -> LOG.warn(
                        "The version of the API selects handlers of {}, and idem does not know where requests have it: one key with"
                                + " two versions is one request. Set fingerprint.headers of the route, or idem.http.fingerprint.headers,"
                                + " to the header with the version",
                        route.path()));
    }

    private static boolean comparesHeaders(RouteOptions options) {
        return options.fingerprinter()
                .filter(chosen -> chosen instanceof FingerprintRules rules
                        && !rules.headers().isEmpty())
                .isPresent();
    }
}
