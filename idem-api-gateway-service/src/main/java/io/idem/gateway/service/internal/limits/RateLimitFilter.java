package io.idem.gateway.service.internal.limits;

import io.idem.gateway.internal.intake.GatewayProblem;
import io.idem.gateway.service.internal.access.ApiKeyFilter;
import io.idem.gateway.service.internal.access.OpenPaths;
import io.idem.gateway.service.limits.RateLimit;
import io.idem.http.Refusal;
import io.idem.http.TenantResolver;
import io.idem.http.internal.servlet.IncomingServletRequest;
import io.idem.http.internal.servlet.Refusals;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Answers 429 to a tenant that exceeds its rate. Requests without a tenant pass, because the idempotency filter refuses
 * them. Belongs behind authentication and before that filter. Thread-safe.
 */
public final class RateLimitFilter extends OncePerRequestFilter {

    /** The order of the filter: right behind authentication. */
    public static final int ORDER = ApiKeyFilter.ORDER + 2;

    private static final Refusal REFUSAL = Refusal.of(
            GatewayProblem.TOO_MANY_REQUESTS,
            "Nothing was run. Send the request again with the same key, not before Retry-After.");

    private final RateLimit limit;
    private final TenantResolver tenants;
    private final OpenPaths open;
    private final Refusals refusals;
    private final LongAdder refused = new LongAdder();

    /**
     * Creates a filter.
     *
     * @param tenants resolve the tenant of a request
     * @param open the paths that are never refused
     */
    public RateLimitFilter(RateLimit limit, TenantResolver tenants, OpenPaths open, Refusals refusals) {
        this.limit = limit;
        this.tenants = tenants;
        this.open = open;
        this.refusals = refusals;
    }

    /** Returns the number of refused requests. */
    public long refused() {
        return refused.sum();
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return open.include(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<Duration> wait =
                tenants.resolve(IncomingServletRequest.of(request)).flatMap(limit::take);
        if (wait.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        refused.increment();
        refusals.write(REFUSAL.retryAfter(wait.get()), request, response);
    }
}
