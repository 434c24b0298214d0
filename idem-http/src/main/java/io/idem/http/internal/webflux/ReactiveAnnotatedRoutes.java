package io.idem.http.internal.webflux;

import io.idem.http.IdempotentRoute;
import io.idem.http.internal.admission.AnnotatedHandler;
import io.idem.http.internal.admission.RouteSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;

/** The routes of handler methods that carry {@link io.idem.Idempotent}, themselves or by their class. */
public final class ReactiveAnnotatedRoutes implements RouteSource {

    private final Supplier<List<RequestMappingInfoHandlerMapping>> mappings;

    /** Creates the source of the routes in these mappings. */
    public ReactiveAnnotatedRoutes(Supplier<List<RequestMappingInfoHandlerMapping>> mappings) {
        this.mappings = mappings;
    }

    @Override
    public List<IdempotentRoute> routes() {
        List<IdempotentRoute> routes = new ArrayList<>();
        mappings.get()
                .forEach(mapping -> mapping.getHandlerMethods()
                        .forEach((info, handler) -> routes.addAll(AnnotatedHandler.routes(
                                handler,
                                info.getMethodsCondition().getMethods(),
                                info.getPatternsCondition().getPatterns(),
                                false))));
        return routes;
    }
}
