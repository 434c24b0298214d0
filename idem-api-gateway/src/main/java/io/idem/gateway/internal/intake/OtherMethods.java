package io.idem.gateway.internal.intake;

import io.idem.http.Refusal;
import io.idem.http.internal.servlet.Refusals;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.PathContainer;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Answers requests to the intake's paths with a method that it does not accept: 405 with {@code Allow}, or 200 to
 * OPTIONS. Ordered behind the handlers of the application, which may accept the method, and before static resources.
 * Thread-safe.
 */
public final class OtherMethods extends AbstractHandlerMapping {

    private final List<Entry> entries;
    private final Refusals refusals;

    /**
     * Creates a handler for the paths of an intake's routes and of what is read beside them.
     *
     * @param read the patterns of paths that take GET and HEAD
     */
    public OtherMethods(IntakeRoutes routes, Stream<String> read, Refusals refusals) {
        this.entries = Stream.concat(
                        routes.routes().stream().map(route -> new Entry(route.path(), route.methods())),
                        read.map(path -> new Entry(
                                PathPatternParser.defaultInstance.parse(path),
                                Set.of(HttpMethod.GET, HttpMethod.HEAD))))
                .toList();
        this.refusals = refusals;
        setOrder(Ordered.LOWEST_PRECEDENCE - 2);
    }

    @Override
    protected @Nullable Object getHandlerInternal(HttpServletRequest request) {
        if (CorsUtils.isPreFlightRequest(request)) {
            return null;
        }
        PathContainer path =
                ServletRequestPathUtils.getParsedRequestPath(request).pathWithinApplication();
        Set<String> allowed = entries.stream()
                .filter(entry -> entry.path().matches(path))
                .flatMap(entry -> entry.methods().stream())
                .map(HttpMethod::name)
                .collect(Collectors.toCollection(TreeSet::new));
        if (allowed.isEmpty()) {
            return null;
        }
        allowed.add(HttpMethod.OPTIONS.name());
        return (HttpRequestHandler) (asked, response) -> answer(asked, response, String.join(", ", allowed));
    }

    private void answer(HttpServletRequest request, HttpServletResponse response, String allowed) throws IOException {
        response.setHeader(HttpHeaders.ALLOW, allowed);
        if (HttpMethod.OPTIONS.matches(request.getMethod())) {
            response.setStatus(HttpStatus.OK.value());
        } else {
            refusals.write(
                    Refusal.of(GatewayProblem.METHOD_NOT_ALLOWED, "Use one of the methods " + allowed + "."),
                    request,
                    response);
        }
    }

    private record Entry(PathPattern path, Set<HttpMethod> methods) {}
}
