package io.idem.http.internal.servlet;

import io.idem.http.IdempotentRoute;
import io.idem.http.internal.admission.AnnotatedHandler;
import io.idem.http.internal.admission.MappedHandler;
import io.idem.http.internal.admission.RouteSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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

    @Override
    public List<MappedHandler> handlers() {
        List<MappedHandler> handlers = new ArrayList<>();
        mappings.get()
                .forEach(mapping ->
                        mapping.getHandlerMethods().forEach((info, handler) -> handlers.add(handler(info, handler))));
        return handlers;
    }

    private static MappedHandler handler(RequestMappingInfo info, HandlerMethod handler) {
        PathPatternsRequestCondition paths = info.getPathPatternsCondition();
        Map<String, String> conditions = new HashMap<>();
        info.getHeadersCondition()
                .getExpressions()
                .forEach(one ->
                        conditions.merge(one.getName().toLowerCase(Locale.ROOT), one.toString(), String::concat));
        info.getParamsCondition()
                .getExpressions()
                .forEach(one -> conditions.merge("?" + one.getName(), one.toString(), String::concat));
        conditions.put("content-type", info.getConsumesCondition().toString());
        conditions.put("accept", info.getProducesCondition().toString());
        conditions.put(
                MappedHandler.VERSION,
                Objects.requireNonNullElse(info.getVersionCondition().getVersion(), ""));
        return new MappedHandler(
                handler,
                info.getMethodsCondition().getMethods(),
                paths == null ? Set.of() : paths.getPatterns(),
                conditions);
    }
}
