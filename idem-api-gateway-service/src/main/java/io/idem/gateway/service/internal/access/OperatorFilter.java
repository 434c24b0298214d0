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
 * Answers 403 to callers of an operators' endpoint who are not operators. Belongs right behind authentication, which
 * sets the principal. Thread-safe.
 */
public final class OperatorFilter extends OncePerRequestFilter {

    /** The order of the filter: right behind authentication. */
    public static final int ORDER = ApiKeyFilter.ORDER + 1;

    private static final Refusal REFUSAL = Refusal.of(
            GatewayProblem.ACCESS_DENIED, "The endpoint is for operators; idem.gateway.operators names them.");

    private final Set<String> operators;
    private final Supplier<List<PathPattern>> endpoints;
    private final OpenPaths open;
    private final Refusals refusals;

    /**
     * Creates a filter.
     *
     * @param operators the names of the principals who are operators
     * @param endpoints the paths that only operators may call, obtained at the first request
     * @param open the paths that everyone may call
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
        refusals.write(REFUSAL, request, response);
    }
}
