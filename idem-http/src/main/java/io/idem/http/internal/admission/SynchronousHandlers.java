package io.idem.http.internal.admission;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.util.ClassUtils;

/** Distinguishes handlers whose work has ended when they return from those whose work goes on. For adapters. */
public final class SynchronousHandlers {

    /** The package of types that WebFlux applications may not have. */
    private static final String MVC = "org.springframework.web.servlet.mvc.method.annotation.";

    private static final String ASYNC = "org.springframework.web.context.request.async.";

    private SynchronousHandlers() {}

    /**
     * Checks that the work of a handler has ended when it returns.
     *
     * @throws IllegalArgumentException if the work may go on
     */
    static void require(Method handler) {
        ResolvableType returned = ResolvableType.forMethodReturnType(handler);
        ResolvableType body = HttpEntity.class.isAssignableFrom(returned.toClass())
                ? returned.as(HttpEntity.class).getGeneric()
                : returned;
        if (later(returned.toClass()) || later(body.toClass()) || KotlinDetector.isSuspendingFunction(handler)) {
            throw new IllegalArgumentException(handler
                    + " runs in the inbox, by inbox = true or idem.store=inbox, whose transaction belongs to one"
                    + " thread, and its work may go on when it has returned " + returned
                    + "; do the work before the method returns, or remove the inbox");
        }
    }

    /** Returns whether a value is work that may go on, as itself or as the body of an answer. */
    public static boolean goesOn(@Nullable Object value) {
        Object body = value instanceof HttpEntity<?> entity ? entity.getBody() : value;
        return body != null && later(body.getClass());
    }

    private static boolean later(Class<?> type) {
        boolean standard = Stream.of(Callable.class, CompletionStage.class, Future.class)
                .anyMatch(known -> known.isAssignableFrom(type));
        return standard
                || isNamed(type, ASYNC + "DeferredResult", ASYNC + "WebAsyncTask")
                || isNamed(type, MVC + "ResponseBodyEmitter", MVC + "StreamingResponseBody")
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }

    private static boolean isNamed(Class<?> type, String... names) {
        Stream<Class<?>> classes = Stream.iterate(type, Objects::nonNull, Class::getSuperclass);
        return Stream.concat(classes, ClassUtils.getAllInterfacesForClassAsSet(type).stream())
                .map(Class::getName)
                .anyMatch(List.of(names)::contains);
    }
}
