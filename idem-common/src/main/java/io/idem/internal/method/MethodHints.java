package io.idem.internal.method;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Keeps in a native image the types that expressions read and stored results consist of, those of parameters and results, and the
 * annotations of the application that carry one of idem's.
 */
public final class MethodHints {

    private MethodHints() {}

    /** Registers the types of annotated methods. */
    public static void register(
            ReflectionHints reflection, Collection<Method> methods, Class<? extends Annotation> annotation) {
        new BindingReflectionHintsRegistrar()
                .registerReflectionHints(
                        reflection, methods.stream().flatMap(MethodHints::types).toArray(Type[]::new));
        methods.stream()
                .flatMap(method -> annotations(method, annotation))
                .forEach(own -> reflection.registerType(own, MemberCategory.INVOKE_PUBLIC_METHODS));
    }

    private static Stream<Class<?>> annotations(Method method, Class<? extends Annotation> annotation) {
        return Stream.<@Nullable MergedAnnotation<?>>iterate(
                        MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
                                .get(annotation),
                        Objects::nonNull,
                        MergedAnnotation::getMetaSource)
                .map(found -> Objects.requireNonNull(found).getType());
    }

    private static Stream<Type> types(Method method) {
        return Stream.concat(Stream.of(method.getGenericParameterTypes()), Stream.of(method.getGenericReturnType()))
                .filter(type -> type != void.class);
    }
}
