package io.idem.http.internal.webflux;

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
import java.util.function.Supplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
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

    @Override
    public List<MappedHandler> handlers() {
        List<MappedHandler> handlers = new ArrayList<>();
        mappings.get()
                .forEach(mapping ->
                        mapping.getHandlerMethods().forEach((info, handler) -> handlers.add(handler(info, handler))));
        return handlers;
    }

    private static MappedHandler handler(RequestMappingInfo info, HandlerMethod handler) {
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
                info.getPatternsCondition().getPatterns(),
                conditions);
    }
}
