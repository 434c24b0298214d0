package io.idem.http.internal.servlet;

import io.idem.http.internal.admission.MappedHandler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** Reads the handler methods of an application. */
public final class ServletMappedHandlers {

    private ServletMappedHandlers() {}

    /** Returns the handler methods in these mappings. */
    public static List<MappedHandler> in(Iterable<RequestMappingInfoHandlerMapping> mappings) {
        List<MappedHandler> handlers = new ArrayList<>();
        mappings.forEach(mapping ->
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
