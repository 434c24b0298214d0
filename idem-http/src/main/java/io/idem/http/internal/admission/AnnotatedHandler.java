package io.idem.http.internal.admission;

import io.idem.Idempotent;
import io.idem.InboxTransaction;
import io.idem.Scope;
import io.idem.http.IdempotentRoute;
import io.idem.http.RouteOptions;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;

/** Makes routes from handler methods that carry {@link Idempotent}. */
final class AnnotatedHandler {

    private static final Set<RequestMethod> SAFE =
            Set.of(RequestMethod.GET, RequestMethod.HEAD, RequestMethod.OPTIONS, RequestMethod.TRACE);

    /** Named by text, since applications may have no transactions. */
    private static final List<String> TRANSACTIONAL =
            List.of("org.springframework.transaction.annotation.Transactional", "jakarta.transaction.Transactional");

    /** The attributes that are about methods of other beans. */
    private static final List<String> NOT_OF_HANDLERS =
            List.of("key", "fingerprint", "lease", "retention", "rejectOn", "retryOn", "takeover", "reconciler");

    private AnnotatedHandler() {}

    /**
     * Returns the routes of a handler method; none if neither it nor its class is annotated. One whose path is matched by other means than
     * patterns is refused.
     *
     * @param inboxAlways whether every route has the inbox, because it is the store
     */
    static List<IdempotentRoute> routes(MappedHandler mapped, boolean inboxAlways) {
        HandlerMethod handler = mapped.handler();
        Idempotent onMethod = AnnotatedElementUtils.findMergedAnnotation(handler.getMethod(), Idempotent.class);
        Idempotent annotation = onMethod != null
                ? onMethod
                : AnnotatedElementUtils.findMergedAnnotation(handler.getBeanType(), Idempotent.class);
        if (annotation == null) {
            return List.of();
        }
        requireHandlersAttributes(handler.getMethod(), onMethod != null ? handler.getMethod() : handler.getBeanType());
        Set<HttpMethod> methods = methods(mapped.methods(), onMethod != null);
        if ((inboxAlways || annotation.inbox()) && !methods.isEmpty()) {
            SynchronousHandlers.require(handler.getMethod());
        }
        if (annotation.transaction() == InboxTransaction.LAST_PHASE) {
            requireNoTransaction(handler);
        }
        if (methods.isEmpty()) {
            return List.of();
        }
        if (mapped.byPathMatcher()) {
            throw new IllegalArgumentException(handler.getMethod()
                    + " is @Idempotent, and its path is matched by a PathMatcher, which the filter does not"
                    + " have; remove spring.mvc.pathmatch.matching-strategy=ant_path_matcher and setPathMatcher, or name"
                    + " the path in idem.http.routes and remove @Idempotent");
        }
        return mapped.paths().stream()
                .map(path -> new IdempotentRoute(methods, path, options -> refine(options, annotation)))
                .toList();
    }

    /** Refuses attributes that would have no effect on a handler. */
    private static void requireHandlersAttributes(Method handler, AnnotatedElement annotated) {
        MergedAnnotation<Idempotent> annotation =
                MergedAnnotations.from(annotated, SearchStrategy.TYPE_HIERARCHY).get(Idempotent.class);
        NOT_OF_HANDLERS.stream()
                .filter(attribute -> !annotation.hasDefaultValue(attribute))
                .findFirst()
                .ifPresent(attribute -> {
                    throw new IllegalArgumentException(
                            handler + " is a handler of HTTP requests, and its @Idempotent says "
                                    + attribute
                                    + ", which is about methods of other beans; remove it. The key of a request is in"
                                    + " its header, and its rules are under idem.http and idem.scopes");
                });
    }

    /** Refuses a transaction around work that ends in a transaction of its own. */
    private static void requireNoTransaction(HandlerMethod handler) {
        MergedAnnotations onMethod = MergedAnnotations.from(handler.getMethod(), SearchStrategy.TYPE_HIERARCHY);
        MergedAnnotations onClass = MergedAnnotations.from(handler.getBeanType(), SearchStrategy.TYPE_HIERARCHY);
        if (TRANSACTIONAL.stream().anyMatch(name -> onMethod.isPresent(name) || onClass.isPresent(name))) {
            throw new IllegalArgumentException(handler.getMethod()
                    + " opens the transaction of its inbox as its last phase, and its @Transactional, or that of its class, opens one"
                    + " around all of it; remove @Transactional, and write to the database in inTransaction of the"
                    + " IdempotencyContext");
        }
    }

    /** Returns the methods to protect; of a mapping without methods, which answers all, those that are not safe. */
    private static Set<HttpMethod> methods(Set<RequestMethod> declared, boolean keepSafe) {
        Set<RequestMethod> answered = declared.isEmpty() ? EnumSet.allOf(RequestMethod.class) : declared;
        return answered.stream()
                .filter(method -> (keepSafe && !declared.isEmpty()) || !SAFE.contains(method))
                .map(RequestMethod::asHttpMethod)
                .collect(Collectors.toSet());
    }

    private static void refine(RouteOptions.Builder options, Idempotent annotation) {
        options.required(annotation.required())
                .handOff(annotation.handOff())
                .inbox(annotation.inbox())
                .inboxTransaction(annotation.transaction());
        if (!annotation.scope().isEmpty()) {
            options.scope(new Scope(annotation.scope()));
        }
        if (annotation.maxAttempts() >= 0) {
            options.policy(policy -> policy.withMaxAttempts(annotation.maxAttempts()));
        }
        if (!annotation.waitFor().isEmpty()) {
            options.waitFor(DurationStyle.detectAndParse(annotation.waitFor()));
        }
    }
}
