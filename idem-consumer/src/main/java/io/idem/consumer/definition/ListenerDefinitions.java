package io.idem.consumer.definition;

import io.idem.Scope;
import io.idem.consumer.IdempotentListener;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** The definitions of all {@link IdempotentListener} methods, each made once. Thread-safe. */
public final class ListenerDefinitions {

    private final Function<Method, ListenerDefinition> factory;
    private final Map<MethodClassKey, ListenerDefinition> known = new ConcurrentHashMap<>();

    public ListenerDefinitions(Function<Method, ListenerDefinition> factory) {
        this.factory = factory;
    }

    /** The annotation of a method as it is on the target class, its parents and interfaces; null if there is none. */
    public static @Nullable IdempotentListener annotation(Method method, @Nullable Class<?> targetClass) {
        Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
        return AnnotatedElementUtils.findMergedAnnotation(specific, IdempotentListener.class);
    }

    public ListenerDefinition of(Method method, @Nullable Class<?> targetClass) {
        MethodClassKey key = new MethodClassKey(method, targetClass);
        ListenerDefinition made = known.computeIfAbsent(
                key, missing -> factory.apply(AopUtils.getMostSpecificMethod(method, targetClass)));
        return Objects.requireNonNull(made);
    }

    /** The definition of the listener with that scope; empty if none was made yet. */
    public Optional<ListenerDefinition> of(Scope scope) {
        return known.values().stream()
                .filter(definition -> definition.scope().equals(scope))
                .findFirst();
    }
}
