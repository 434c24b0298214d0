package io.idem.http.internal.servlet;

import io.idem.http.Routes;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets browsers send keys to protected routes and see what idem answers, where the application's CORS rules admit the request itself.
 * Belongs before everything that judges CORS: what judges is not shown the key's header in a preflight, and when it admits the origin,
 * idem's headers are added to what it allows. So no origin, method or other header is admitted that was not before. Thread-safe.
 */
public final class IdempotencyCorsFilter extends OncePerRequestFilter {

    /** Where the filter belongs: before everything. */
    public static final int ORDER = Ordered.HIGHEST_PRECEDENCE;

    private final Supplier<Routes> routes;
    private final String keyHeader;
    private final String exposed;

    /**
     * A filter.
     *
     * @param keyHeader name of the key's header
     * @param exposed names of the response headers that scripts may read
     */
    public IdempotencyCorsFilter(Supplier<Routes> routes, String keyHeader, List<String> exposed) {
        this.routes = routes;
        this.keyHeader = keyHeader;
        this.exposed = String.join(", ", exposed);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getHeader(HttpHeaders.ORIGIN) == null) {
            chain.doFilter(request, response);
        } else if (!CorsUtils.isPreFlightRequest(request)) {
            chain.doFilter(request, isProtected(request, request.getMethod()) ? exposing(response) : response);
        } else {
            preflight(request, response, chain);
        }
    }

    private void preflight(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        PreflightRequest withoutKey = new PreflightRequest(request, keyHeader);
        boolean asked = withoutKey.asksForKey()
                && isProtected(request, request.getHeader(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD));
        if (asked) {
            chain.doFilter(
                    withoutKey,
                    new CorsResponse(response, HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, withoutKey.keyHeader()));
        } else {
            chain.doFilter(request, response);
        }
    }

    private boolean isProtected(HttpServletRequest request, String method) {
        return routes.get()
                .find(method, () -> ServletRequestPaths.within(request))
                .isPresent();
    }

    private HttpServletResponse exposing(HttpServletResponse response) {
        return new CorsResponse(response, HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
}
