package io.idem.gateway;

import io.idem.http.Refusal;
import io.idem.http.TenantResolver;
import io.idem.http.servlet.IdempotencyFilter;
import io.idem.http.servlet.Refusals;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.PathContainer;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Lets requests pass that carry {@code Authorization: Bearer} and a tenant's API key, and makes that tenant their principal. Belongs
 * before the idempotency filter. Thread-safe.
 */
public final class ApiKeyFilter extends OncePerRequestFilter {

    /** Where the filter belongs: after Spring Security, before the idempotency filter. */
    public static final int ORDER = IdempotencyFilter.ORDER - 10;

    private static final String TENANT = ApiKeyFilter.class.getName() + ".tenant";
    private static final String SCHEME = "Bearer ";
    private static final String CHALLENGE = "Bearer realm=\"idem\"";

    private final ApiKeys keys;
    private final List<PathPattern> open;
    private final Refusals refusals;

    /**
     * A filter.
     *
     * @param open paths that need no key
     */
    public ApiKeyFilter(ApiKeys keys, List<PathPattern> open, Refusals refusals) {
        this.keys = keys;
        this.open = List.copyOf(open);
        this.refusals = refusals;
    }

    /** The tenant that this filter found; empty for a request that it did not see. */
    public static TenantResolver tenants() {
        return request -> request.attribute(TENANT).map(String.class::cast);
    }

    /** Browsers send no credentials with a preflight request, and nothing runs for it. */
    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return CorsUtils.isPreFlightRequest(request) || isOpen(request);
    }

    private boolean isOpen(HttpServletRequest request) {
        try {
            PathContainer path = ServletRequestPathUtils.parse(request).pathWithinApplication();
            return open.stream().anyMatch(pattern -> pattern.matches(path));
        } catch (IllegalArgumentException undecodable) {
            return false;
        }
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        List<String> credentials = Collections.list(request.getHeaders(HttpHeaders.AUTHORIZATION));
        Optional<String> tenant = tenant(credentials);
        if (tenant.isPresent()) {
            request.setAttribute(TENANT, tenant.get());
            chain.doFilter(new AuthenticatedRequest(request, tenant.get()), response);
        } else {
            response.setHeader(
                    HttpHeaders.WWW_AUTHENTICATE,
                    credentials.isEmpty() ? CHALLENGE : CHALLENGE + ", error=\"invalid_token\"");
            refusals.write(
                    Refusal.of(
                            GatewayProblem.UNAUTHENTICATED,
                            "Send Authorization: Bearer with your API key, and the same idempotency key."),
                    request,
                    response);
        }
    }

    private Optional<String> tenant(List<String> credentials) {
        return Optional.of(credentials)
                .filter(lines -> lines.size() == 1)
                .map(lines -> lines.get(0))
                .filter(line -> line.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
                .flatMap(line -> keys.tenantOf(line.substring(SCHEME.length()).strip()));
    }
}
