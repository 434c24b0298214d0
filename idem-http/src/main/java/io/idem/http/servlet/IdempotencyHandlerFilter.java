package io.idem.http.servlet;

import io.idem.http.IdempotentRoute;
import io.idem.http.RouteOptions;
import io.idem.http.internal.admission.FunctionalRoutes;
import io.idem.http.internal.servlet.FunctionalPassage;
import io.idem.http.internal.servlet.IdempotencyServletFilter;
import io.idem.http.internal.servlet.InboxedWork;
import io.idem.http.internal.servlet.ServletExchange;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Protects the routes of a {@code RouterFunction} by the idempotency key; add it with {@code filter}. It takes the key and answers
 * duplicates. The {@link IdempotencyServletFilter}, which must be registered, holds the answer back until it is recorded, so the recorded
 * answer includes the changes that other filters and error handlers make. Protects POST and PATCH; see {@link #onMethods}. On a route that
 * the servlet filter protects, the options of the servlet filter apply; a function with a {@link RouteOptions.Builder#key} fails there, unless
 * that route has one too. Thread-safe; blocks on the store.
 */
public final class IdempotencyHandlerFilter implements HandlerFilterFunction<ServerResponse, ServerResponse> {

    private static final Set<HttpMethod> DEFAULT_METHODS = Set.of(HttpMethod.POST, HttpMethod.PATCH);

    private final FunctionalRoutes routes;
    private final Set<HttpMethod> methods;
    private final Consumer<RouteOptions.Builder> refine;
    private final Supplier<RouteOptions> options;

    private IdempotencyHandlerFilter(
            FunctionalRoutes routes, Set<HttpMethod> methods, Consumer<RouteOptions.Builder> refine) {
        this.routes = routes;
        this.methods = methods;
        this.refine = refine;
        this.options = routes.register(refine);
    }

    /** Creates a filter with the application's defaults. */
    public static IdempotencyHandlerFilter of(FunctionalRoutes routes) {
        return new IdempotencyHandlerFilter(routes, DEFAULT_METHODS, options -> {});
    }

    /** Creates a filter that lets every request through, for an application in which {@code idem.http.enabled} is false. */
    public static IdempotencyHandlerFilter off(FunctionalRoutes routes) {
        return new IdempotencyHandlerFilter(routes, Set.of(), options -> {});
    }

    /** Returns this filter with its options changed further. */
    public IdempotencyHandlerFilter with(Consumer<RouteOptions.Builder> change) {
        return new IdempotencyHandlerFilter(routes, methods, refine.andThen(change));
    }

    /**
     * Returns this filter for these methods instead of POST and PATCH.
     *
     * @throws IllegalArgumentException if there is none, or a safe one
     */
    public IdempotencyHandlerFilter onMethods(HttpMethod... wanted) {
        Set<HttpMethod> checked =
                IdempotentRoute.post("/**").onMethods(Set.of(wanted)).methods();
        return methods.isEmpty() ? this : new IdempotencyHandlerFilter(routes, checked, refine);
    }

    @Override
    public ServerResponse filter(ServerRequest request, HandlerFunction<ServerResponse> next) throws Exception {
        HttpServletRequest servletRequest = request.servletRequest();
        boolean meant =
                methods.contains(request.method()) && servletRequest.getDispatcherType() == DispatcherType.REQUEST;
        if (meant) {
            FunctionalRoutes.requireNotWeaker(options.get(), FunctionalPassage.applied(servletRequest));
        }
        boolean protects = meant && ServletExchange.of(servletRequest).isEmpty() && !InboxedWork.covers(servletRequest);
        if (!protects) {
            return next.handle(request);
        }
        Optional<FunctionalPassage> passage = FunctionalPassage.of(servletRequest);
        if (passage.isPresent()) {
            return passage.get().handle(request, next, options.get());
        }
        throw new IllegalStateException("Functional route " + request.method() + " " + request.path()
                + " is protected by idem, but its request did not come through the idempotency filter;"
                + " register IdempotencyServletFilter for its path and the dispatcher types REQUEST, ASYNC and ERROR");
    }
}
