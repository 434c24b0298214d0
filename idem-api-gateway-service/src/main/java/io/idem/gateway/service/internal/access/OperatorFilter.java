package io.idem.gateway.service.internal.access;

import io.idem.gateway.internal.intake.GatewayProblem;
import io.idem.http.Refusal;
import io.idem.http.internal.servlet.Refusals;
import io.idem.http.internal.servlet.ServletRequestPaths;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Answers 403 to callers who ask for an endpoint of the operators and are none. Belongs right behind authentication, which says who a
 * caller is. Thread-safe.
 */
public final class OperatorFilter extends OncePerRequestFilter {

    /** Where the filter belongs: right behind authentication. */
    public static final int ORDER = ApiKeyFilter.ORDER + 1;

    private final Set<String> operators;
    private final Supplier<List<PathPattern>> endpoints;
    private final OpenPaths open;
    private final Refusals refusals;

    /**
     * A filter.
     *
     * @param operators names of the principals who are operators
     * @param endpoints what is theirs alone, asked for at the first request
     * @param open paths that everybody may ask for all the same
     */
    public OperatorFilter(
            Set<String> operators, Supplier<List<PathPattern>> endpoints, OpenPaths open, Refusals refusals) {
        this.operators = Set.copyOf(operators);
        this.endpoints = endpoints;
        this.open = open;
        this.refusals = refusals;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return open.include(request) || isOperator(request.getUserPrincipal()) || !isEndpoint(request);
    }

    private boolean isOperator(@Nullable Principal caller) {
        return caller != null && caller.getName() != null && operators.contains(caller.getName());
    }

    private boolean isEndpoint(HttpServletRequest request) {
        List<PathPattern> theirs = endpoints.get();
        return ServletRequestPaths.within(request).stream()
                .anyMatch(path -> theirs.stream().anyMatch(pattern -> pattern.matches(path)));
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        refusals.write(
                Refusal.of(
                        GatewayProblem.ACCESS_DENIED,
                        "The endpoint is for operators; idem.gateway.operators names them."),
                request,
                response);
    }
}
