package io.idem.http.internal.webflux;

import io.idem.http.internal.admission.MappedHandler;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;

/** The handler methods of the application, with the conditions of their mappings. */
public final class ReactiveMappedHandlers {

    private ReactiveMappedHandlers() {}

    /** Returns the handler methods in these mappings. */
    public static List<MappedHandler> in(ObjectProvider<RequestMappingInfoHandlerMapping> mappings) {
        return mappings.stream()
                .flatMap(mapping -> mapping.getHandlerMethods().entrySet().stream())
                .map(mapped -> handler(mapped.getKey(), mapped.getValue()))
                .toList();
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
