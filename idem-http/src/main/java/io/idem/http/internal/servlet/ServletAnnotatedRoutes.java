package io.idem.http.internal.servlet;

import io.idem.http.IdempotentRoute;
import io.idem.http.internal.admission.AnnotatedHandler;
import io.idem.http.internal.admission.RouteSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** The routes of handler methods that carry {@link io.idem.Idempotent}, themselves or by their class. */
public final class ServletAnnotatedRoutes implements RouteSource {

    private final Supplier<List<RequestMappingInfoHandlerMapping>> mappings;

    private final BooleanSupplier inboxAlways;

    /**
     * Creates the source of the routes in these mappings.
     *
     * @param inboxAlways says whether every route has the inbox, because it is the store
     */
    public ServletAnnotatedRoutes(
            Supplier<List<RequestMappingInfoHandlerMapping>> mappings, BooleanSupplier inboxAlways) {
        this.mappings = mappings;
        this.inboxAlways = inboxAlways;
    }

    @Override
    public List<IdempotentRoute> routes() {
        List<IdempotentRoute> routes = new ArrayList<>();
        mappings.get()
                .forEach(mapping ->
                        mapping.getHandlerMethods().forEach((info, handler) -> routes.addAll(routes(info, handler))));
        return routes;
    }

    private List<IdempotentRoute> routes(RequestMappingInfo info, HandlerMethod handler) {
        PathPatternsRequestCondition paths = info.getPathPatternsCondition();
        return AnnotatedHandler.routes(
                handler,
                info.getMethodsCondition().getMethods(),
                paths == null ? Set.of() : paths.getPatterns(),
                inboxAlways.getAsBoolean());
    }
}
