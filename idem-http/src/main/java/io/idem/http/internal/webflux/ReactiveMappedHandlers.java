package io.idem.http.internal.webflux;

import io.idem.http.IncomingRequest;
import io.idem.http.internal.admission.MappedHandler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.accept.ApiVersionStrategy;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Reads the handler methods of an application. */
public final class ReactiveMappedHandlers {

    private ReactiveMappedHandlers() {}

    /** Returns the handler methods in these mappings. */
    public static List<MappedHandler> in(Iterable<RequestMappingInfoHandlerMapping> mappings) {
        List<MappedHandler> handlers = new ArrayList<>();
        mappings.forEach(mapping ->
                mapping.getHandlerMethods().forEach((info, handler) -> handlers.add(handler(mapping, info, handler))));
        return handlers;
    }

    private static MappedHandler handler(
            RequestMappingInfoHandlerMapping mapping, RequestMappingInfo info, HandlerMethod handler) {
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
                Objects.toString(info.getVersionCondition().getVersion(), ""));
        conditions.put(MappedHandler.OWN, Objects.toString(info.getCustomCondition(), ""));
        return new MappedHandler(
                handler,
                info.getMethodsCondition().getMethods(),
                info.getPatternsCondition().getPatterns(),
                false,
                conditions,
                request -> version(mapping.getApiVersionStrategy(), request));
    }

    private static String version(@Nullable ApiVersionStrategy strategy, IncomingRequest request) {
        ServerWebExchange exchange = request.unwrap(ServerWebExchange.class).orElseThrow();
        CompletableFuture<String> version = Mono.justOrEmpty(strategy)
                .flatMap(known -> known.resolveApiVersion(exchange))
                .onErrorComplete()
                .defaultIfEmpty("")
                .toFuture();
        Assert.state(
                version.isDone(),
                "The version of the API selects a handler here; use an ApiVersionResolver that answers at once");
        return version.join();
    }
}
