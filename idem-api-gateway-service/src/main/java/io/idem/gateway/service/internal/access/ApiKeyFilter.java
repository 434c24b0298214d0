package io.idem.gateway.service.internal.access;

import io.idem.gateway.internal.intake.GatewayProblem;
import io.idem.http.Refusal;
import io.idem.http.TenantResolver;
import io.idem.http.internal.servlet.IdempotencyServletFilter;
import io.idem.http.internal.servlet.IncomingServletRequest;
import io.idem.http.internal.servlet.Refusals;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Passes requests with {@code Authorization: Bearer} and a tenant's API key, and makes the tenant their principal.
 * Belongs before the idempotency filter. Thread-safe.
 */
public final class ApiKeyFilter extends OncePerRequestFilter {

    /** The order of the filter: after Spring Security, before the idempotency filter. */
    public static final int ORDER = IdempotencyServletFilter.ORDER - 10;

    private static final String TENANT = ApiKeyFilter.class.getName() + ".tenant";
    private static final String CHALLENGE = "Bearer realm=\"idem\"";
    private static final Refusal REFUSAL = Refusal.of(
            GatewayProblem.UNAUTHENTICATED,
            "Send Authorization: Bearer with your API key, and the same idempotency key.");

    private final TenantResolver keys;
    private final OpenPaths open;
    private final Refusals refusals;

    /**
     * Creates a filter.
     *
     * @param keys resolve the tenant of an API key
     * @param open the paths that need no key
     */
    public ApiKeyFilter(TenantResolver keys, OpenPaths open, Refusals refusals) {
        this.keys = keys;
        this.open = open;
        this.refusals = refusals;
    }

    /** Returns a resolver of the tenant that this filter found; empty for a request that did not pass it. */
    public static TenantResolver tenants() {
        return request -> request.attribute(TENANT).map(String.class::cast);
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return open.include(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<String> tenant = keys.resolve(IncomingServletRequest.of(request));
        if (tenant.isPresent()) {
            request.setAttribute(TENANT, tenant.get());
            chain.doFilter(new AuthenticatedRequest(request, tenant.get()), response);
        } else {
            boolean nothing = request.getHeader(HttpHeaders.AUTHORIZATION) == null;
            response.setHeader(
                    HttpHeaders.WWW_AUTHENTICATE, nothing ? CHALLENGE : CHALLENGE + ", error=\"invalid_token\"");
            refusals.write(REFUSAL, request, response);
        }
    }

    /** A request whose principal is the tenant. */
    private static final class AuthenticatedRequest extends HttpServletRequestWrapper {

        private final String tenant;

        AuthenticatedRequest(HttpServletRequest request, String tenant) {
            super(request);
            this.tenant = tenant;
        }

        @Override
        public Principal getUserPrincipal() {
            return () -> tenant;
        }

        @Override
        public String getRemoteUser() {
            return tenant;
        }
    }
}
