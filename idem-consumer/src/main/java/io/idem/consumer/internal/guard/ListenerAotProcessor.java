package io.idem.consumer.internal.guard;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.definition.ListenerShape;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Checks idempotent listeners already when an application is processed ahead of time, and keeps in a native image the
 * types that key and result expressions read and stored results consist of: those of parameters and results.
 */
final class ListenerAotProcessor implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        Set<Method> methods = ListenerShape.methods(type);
        if (methods.isEmpty()) {
            return null;
        }
        ListenerShape.check(type);
        return (generation, code) -> {
            ReflectionHints reflection = generation.getRuntimeHints().reflection();
            new BindingReflectionHintsRegistrar()
                    .registerReflectionHints(
                            reflection,
                            methods.stream()
                                    .flatMap(ListenerAotProcessor::types)
                                    .toArray(Type[]::new));
            methods.stream()
                    .flatMap(ListenerAotProcessor::annotations)
                    .forEach(own -> reflection.registerType(own, MemberCategory.INVOKE_PUBLIC_METHODS));
        };
    }

    /** Returns the application's own annotations that have {@link IdempotentListener} on them. */
    private static Stream<Class<?>> annotations(Method method) {
        return Stream.<@Nullable MergedAnnotation<?>>iterate(
                        MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
                                .get(IdempotentListener.class),
                        Objects::nonNull,
                        MergedAnnotation::getMetaSource)
                .map(annotation -> Objects.requireNonNull(annotation).getType());
    }

    private static Stream<Type> types(Method method) {
        return Stream.concat(Stream.of(method.getGenericParameterTypes()), Stream.of(method.getGenericReturnType()))
                .filter(type -> type != void.class);
    }
}
