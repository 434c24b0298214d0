package io.idem.http.webflux;

import io.idem.http.IdempotentRoute;
import io.idem.http.RouteOptions;
import io.idem.http.internal.admission.FunctionalRoutes;
import io.idem.http.internal.webflux.GuardedServerResponse;
import io.idem.http.internal.webflux.IdempotencyWebFilter;
import io.idem.http.internal.webflux.Protection;
import io.idem.http.internal.webflux.WebFilterParts;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.HandlerFilterFunction;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * Protects the routes of a {@code RouterFunction} by the idempotency key. Add it with {@code filter} after all other filters, so that it is
 * the outermost one and the recorded answer includes those of error handlers. The key is taken, and the handler runs, when the response is
 * written: filters around this one see neither the status nor a failure. Protects POST and PATCH; see {@link #onMethods}. On a route that
 * the {@link IdempotencyWebFilter} protects, the options of that filter apply; a function with a {@link RouteOptions.Builder#key} fails there,
 * unless that route has one too. Thread-safe; does not block.
 */
public final class ReactiveIdempotencyHandlerFilter implements HandlerFilterFunction<ServerResponse, ServerResponse> {

    private static final Set<HttpMethod> DEFAULT_METHODS = Set.of(HttpMethod.POST, HttpMethod.PATCH);

    private final FunctionalRoutes routes;
    private final @Nullable Protection protection;
    private final Set<HttpMethod> methods;
    private final Consumer<RouteOptions.Builder> refine;
    private final Supplier<RouteOptions> options;

    private ReactiveIdempotencyHandlerFilter(
            FunctionalRoutes routes,
            @Nullable Protection protection,
            Set<HttpMethod> methods,
            Consumer<RouteOptions.Builder> refine) {
        this.routes = routes;
        this.protection = protection;
        this.methods = methods;
        this.refine = refine;
        this.options = routes.register(refine);
    }

    /** Creates a filter with the application's defaults. */
    public static ReactiveIdempotencyHandlerFilter of(FunctionalRoutes routes, WebFilterParts parts) {
        return new ReactiveIdempotencyHandlerFilter(routes, parts.protection(), DEFAULT_METHODS, options -> {});
    }

    /** Creates a filter that lets every request through, for an application in which {@code idem.http.enabled} is false. */
    public static ReactiveIdempotencyHandlerFilter off() {
        return new ReactiveIdempotencyHandlerFilter(new FunctionalRoutes(), null, DEFAULT_METHODS, options -> {});
    }

    /** Returns this filter with its options changed further. */
    public ReactiveIdempotencyHandlerFilter with(Consumer<RouteOptions.Builder> change) {
        return new ReactiveIdempotencyHandlerFilter(routes, protection, methods, refine.andThen(change));
    }

    /**
     * Returns this filter for these methods instead of POST and PATCH.
     *
     * @throws IllegalArgumentException if there is none, or a safe one
     */
    public ReactiveIdempotencyHandlerFilter onMethods(HttpMethod... wanted) {
        Set<HttpMethod> checked =
                IdempotentRoute.post("/**").onMethods(Set.of(wanted)).methods();
        return new ReactiveIdempotencyHandlerFilter(routes, protection, checked, refine);
    }

    @Override
    public Mono<ServerResponse> filter(ServerRequest request, HandlerFunction<ServerResponse> next) {
        boolean meant = protection != null && methods.contains(request.method());
        if (meant) {
            FunctionalRoutes.requireNotWeaker(options.get(), Protection.applied(request.exchange()));
        }
        return protection == null || !meant || Protection.handles(request.exchange())
                ? next.handle(request)
                : Mono.just(new GuardedServerResponse(request, next, protection, options.get()));
    }
}
