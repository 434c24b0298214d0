package io.idem.gateway.service.internal.openapi;

import io.idem.http.Problem;
import io.idem.http.internal.admission.FilterParts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.MediaType;

/**
 * The intake to be described. Immutable.
 *
 * @param title the title of the API
 * @param version the version of the API
 * @param basePath the path before all paths; may be empty
 * @param routes the routes, in their order
 * @param operationsPath the path of the status of operations
 * @param longestWait the longest wait of clients for consumers, on the status; empty if they may not wait
 * @param parts the parts of the idempotency filter, for the names of headers
 * @param errors the media type of refusals
 * @param problems the problems of all refusals
 * @param credentials the credentials of callers; empty if the intake does not authenticate them
 */
public record DescribedIntake(
        String title,
        String version,
        String basePath,
        List<DescribedRoute> routes,
        String operationsPath,
        Optional<Duration> longestWait,
        FilterParts parts,
        MediaType errors,
        List<Problem> problems,
        Optional<Credentials> credentials) {

    /** Copies the lists. */
    public DescribedIntake {
        routes = List.copyOf(routes);
        problems = List.copyOf(problems);
    }

    /** Returns what an operation asks of its callers. */
    List<?> security(List<String> scopes) {
        return credentials.isEmpty() ? List.of() : List.of(Map.of("caller", scopes));
    }
}
