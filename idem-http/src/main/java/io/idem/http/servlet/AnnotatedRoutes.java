package io.idem.http.servlet;

import io.idem.Scope;
import io.idem.http.Idempotent;
import io.idem.http.IdempotentRoute;
import io.idem.http.RouteOptions;
import io.idem.http.RouteSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** The routes of handler methods that carry {@link Idempotent}, themselves or by their class. */
public final class AnnotatedRoutes implements RouteSource {

    private static final Set<RequestMethod> SAFE =
            Set.of(RequestMethod.GET, RequestMethod.HEAD, RequestMethod.OPTIONS, RequestMethod.TRACE);

    private final Supplier<List<RequestMappingInfoHandlerMapping>> mappings;

    /** Routes of the handler methods in these mappings. */
    public AnnotatedRoutes(Supplier<List<RequestMappingInfoHandlerMapping>> mappings) {
        this.mappings = mappings;
    }

    @Override
    public List<IdempotentRoute> routes() {
        List<IdempotentRoute> routes = new ArrayList<>();
        for (RequestMappingInfoHandlerMapping mapping : mappings.get()) {
            for (Map.Entry<RequestMappingInfo, HandlerMethod> entry :
                    mapping.getHandlerMethods().entrySet()) {
                add(routes, entry.getKey(), entry.getValue());
            }
        }
        return routes;
    }

    private static void add(List<IdempotentRoute> routes, RequestMappingInfo info, HandlerMethod handler) {
        Idempotent onMethod = AnnotatedElementUtils.findMergedAnnotation(handler.getMethod(), Idempotent.class);
        Idempotent annotation = onMethod != null
                ? onMethod
                : AnnotatedElementUtils.findMergedAnnotation(handler.getBeanType(), Idempotent.class);
        if (annotation == null) {
            return;
        }
        Set<HttpMethod> methods = methods(info, onMethod != null);
        PathPatternsRequestCondition paths = info.getPathPatternsCondition();
        if (!methods.isEmpty() && paths != null) {
            paths.getPatterns()
                    .forEach(path ->
                            routes.add(new IdempotentRoute(methods, path, options -> refine(options, annotation))));
        }
    }

    /** A mapping without methods answers all of them: then those that the application protects by default are meant. */
    private static Set<HttpMethod> methods(RequestMappingInfo info, boolean keepSafe) {
        Set<RequestMethod> declared = info.getMethodsCondition().getMethods();
        if (declared.isEmpty()) {
            return Set.of(HttpMethod.POST, HttpMethod.PATCH);
        }
        return declared.stream()
                .filter(method -> keepSafe || !SAFE.contains(method))
                .map(RequestMethod::asHttpMethod)
                .collect(Collectors.toSet());
    }

    private static RouteOptions refine(RouteOptions defaults, Idempotent annotation) {
        RouteOptions refined = defaults.withRequired(annotation.required()).withHandOff(annotation.handOff());
        if (!annotation.scope().isEmpty()) {
            refined = refined.withScope(new Scope(annotation.scope()));
        }
        if (annotation.maxAttempts() >= 0) {
            refined = refined.withPolicy(refined.policy().withMaxAttempts(annotation.maxAttempts()));
        }
        return annotation.waitFor().isEmpty()
                ? refined
                : refined.withWaitFor(DurationStyle.detectAndParse(annotation.waitFor()));
    }
}
