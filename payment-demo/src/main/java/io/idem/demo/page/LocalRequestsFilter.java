package io.idem.demo.page;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.springframework.http.HttpMethod;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets in what the page itself asks for, and nothing that other sites make a browser send: the {@code Host} must be the loopback
 * address (or a name of the attacker's that resolves to it would do), and whatever changes something must carry a header that no
 * form can send, from the page's own origin.
 */
final class LocalRequestsFilter extends OncePerRequestFilter {

    /** The header that a page of another origin may send only with the server's consent, which is never given. */
    static final String HEADER = "X-Idem-Demo";

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    private static final Set<String> READS = Set.of(HttpMethod.GET.name(), HttpMethod.HEAD.name());
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cache-Control", "no-store");
        if (LOOPBACK.contains(request.getServerName()) && (reads(request) || fromThePage(request))) {
            chain.doFilter(request, response);
        } else {
            response.sendError(HttpServletResponse.SC_FORBIDDEN, "Only the page itself may ask for this");
        }
    }

    private static boolean reads(HttpServletRequest request) {
        return READS.contains(request.getMethod());
    }

    private static boolean fromThePage(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        String own = "http://" + request.getHeader("Host");
        return request.getHeader(HEADER) != null && (origin == null || origin.equals(own));
    }
}
