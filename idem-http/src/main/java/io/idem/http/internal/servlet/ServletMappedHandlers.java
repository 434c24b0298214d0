package io.idem.http.internal.servlet;

import io.idem.http.IncomingRequest;
import io.idem.http.internal.admission.MappedHandler;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.accept.ApiVersionStrategy;
import org.springframework.web.accept.ParameterContentNegotiationStrategy;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/** Reads the handler methods of an application. */
public final class ServletMappedHandlers {

    private ServletMappedHandlers() {}

    /** Returns the handler methods in these mappings. */
    public static List<MappedHandler> in(Iterable<RequestMappingInfoHandlerMapping> mappings) {
        List<MappedHandler> handlers = new ArrayList<>();
        mappings.forEach(mapping ->
                mapping.getHandlerMethods().forEach((info, handler) -> handlers.add(handler(mapping, info, handler))));
        return handlers;
    }

    private static MappedHandler handler(
            RequestMappingInfoHandlerMapping mapping, RequestMappingInfo info, HandlerMethod handler) {
        PathPatternsRequestCondition paths = info.getPathPatternsCondition();
        Map<String, String> conditions = new HashMap<>();
        info.getHeadersCondition()
                .getExpressions()
                .forEach(one ->
                        conditions.merge(one.getName().toLowerCase(Locale.ROOT), one.toString(), String::concat));
        info.getParamsCondition()
                .getExpressions()
                .forEach(one -> conditions.merge("?" + one.getName(), one.toString(), String::concat));
        String produces = info.getProducesCondition().toString();
        if (mapping instanceof RequestMappingHandlerMapping annotated) {
            annotated.getContentNegotiationManager().getStrategies().stream()
                    .filter(ParameterContentNegotiationStrategy.class::isInstance)
                    .map(strategy -> ((ParameterContentNegotiationStrategy) strategy).getParameterName())
                    .forEach(name -> conditions.merge("?" + name, produces, String::concat));
        }
        conditions.put("content-type", info.getConsumesCondition().toString());
        conditions.put("accept", produces);
        conditions.put(
                MappedHandler.VERSION,
                Objects.toString(info.getVersionCondition().getVersion(), ""));
        conditions.put(MappedHandler.OWN, Objects.toString(info.getCustomCondition(), ""));
        return new MappedHandler(
                handler,
                info.getMethodsCondition().getMethods(),
                paths == null
                        ? info.getPatternValues().stream()
                                .map(ServletMappedHandlers::likePathMatcher)
                                .toList()
                        : paths.getPatterns(),
                paths == null,
                conditions,
                request -> version(mapping.getApiVersionStrategy(), request));
    }

    /** Returns a pattern that matches all paths that a {@code PathMatcher} matches, and maybe more. */
    private static PathPattern likePathMatcher(String pattern) {
        try {
            return PathPatternParser.defaultInstance.parse(pattern);
        } catch (PatternParseException onlyForPathMatchers) {
            return PathPatternParser.defaultInstance.parse(pattern.replaceFirst("/[^/]*[*?{].*", "/**"));
        }
    }

    private static String version(@Nullable ApiVersionStrategy strategy, IncomingRequest request) {
        HttpServletRequest sent = request.unwrap(HttpServletRequest.class).orElseThrow();
        try {
            ServletRequestPathUtils.parseAndCache(sent);
            return Objects.requireNonNullElse(Objects.requireNonNull(strategy).resolveVersion(sent), "");
        } catch (RuntimeException refusedBySpringToo) {
            return "";
        }
    }
}
