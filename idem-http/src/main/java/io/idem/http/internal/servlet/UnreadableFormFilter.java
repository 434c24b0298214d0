package io.idem.http.internal.servlet;

import io.idem.http.Routes;
import io.idem.http.internal.admission.BodyRefusals;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Supplier;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Answers malformed forms of PATCH, PUT and DELETE to protected routes with 400. Spring's {@code FormContentFilter} reads such forms before
 * authentication, and if it cannot, the container answers 500. Belongs right before that filter. Thread-safe.
 */
public final class UnreadableFormFilter extends OncePerRequestFilter {

    /** The order of the filter: before Boot's {@code OrderedFormContentFilter} (-9900). */
    public static final int ORDER = -9901;

    private final Supplier<Routes> routes;
    private final Refusals refusals;

    /** Creates a filter. */
    public UnreadableFormFilter(Supplier<Routes> routes, Refusals refusals) {
        this.routes = routes;
        this.refusals = refusals;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } catch (HttpMessageNotReadableException malformed) {
            boolean refused = !response.isCommitted()
                    && routes.get()
                            .find(request.getMethod(), () -> ServletRequestPaths.within(request))
                            .isPresent();
            if (!refused) {
                throw malformed;
            }
            refusals.write(BodyRefusals.malformedForm().refusal(), request, response);
        }
    }
}
