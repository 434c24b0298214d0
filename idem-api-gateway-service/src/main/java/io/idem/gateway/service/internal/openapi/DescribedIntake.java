package io.idem.gateway.service.internal.openapi;

import io.idem.http.Problem;
import io.idem.http.internal.admission.FilterParts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.http.MediaType;

/**
 * What is to be described. Immutable.
 *
 * @param title of the API
 * @param version of the API
 * @param basePath what stands before all paths; empty for nothing
 * @param routes in their order
 * @param operationsPath where the status of an operation is
 * @param longestWait for how long clients may wait for consumers; empty if they may not
 * @param parts of the idempotency filter: names of headers
 * @param errors media type of refusals
 * @param problems all that may be refused
 * @param credentials what callers authenticate with; empty if it is not the intake that asks
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
}
