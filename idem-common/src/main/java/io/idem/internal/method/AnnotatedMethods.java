package io.idem.internal.method;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The methods of a class that carry an annotation. An application has hundreds of classes without one, which Spring's search would look
 * through at each start, method by method and with all overridden ones; so classes that cannot have one are left out first.
 */
public final class AnnotatedMethods {

    /** Packages of annotations that are not composed of those of idem. */
    private static final String[] OTHERS = {"java.", "jakarta.", "kotlin.", "org.jspecify."};

    private AnnotatedMethods() {}

    /** Returns the methods of a class, its parents and interfaces that have an annotation, perhaps a composed one, and match. */
    public static Set<Method> of(
            Class<?> type, Class<? extends Annotation> annotation, ReflectionUtils.MethodFilter which) {
        return mayBeOn(type, annotation)
                ? MethodIntrospector.selectMethods(type, (ReflectionUtils.MethodFilter)
                        method -> AnnotatedElementUtils.hasAnnotation(method, annotation) && which.matches(method))
                : Set.of();
    }

    /** Returns whether a class may have such methods; false is certain. */
    public static boolean mayBeOn(Class<?> type, Class<? extends Annotation> annotation) {
        try {
            return AnnotationUtils.isCandidateClass(type, annotation) && isInHierarchy(type, annotation);
        } catch (RuntimeException | LinkageError unreadable) {
            return true;
        }
    }

    private static boolean isInHierarchy(@Nullable Class<?> type, Class<? extends Annotation> annotation) {
        return type != null
                && type != Object.class
                && (isDeclaredIn(type, annotation)
                        || isInHierarchy(type.getSuperclass(), annotation)
                        || Arrays.stream(type.getInterfaces()).anyMatch(each -> isInHierarchy(each, annotation)));
    }

    private static boolean isDeclaredIn(Class<?> type, Class<? extends Annotation> annotation) {
        return Arrays.stream(ReflectionUtils.getDeclaredMethods(type))
                .flatMap(method -> Arrays.stream(method.getDeclaredAnnotations()))
                .anyMatch(declared -> mayBe(declared.annotationType(), annotation));
    }

    private static boolean mayBe(Class<? extends Annotation> declared, Class<? extends Annotation> annotation) {
        return declared == annotation
                || (Arrays.stream(OTHERS).noneMatch(declared.getName()::startsWith)
                        && AnnotatedElementUtils.hasAnnotation(declared, annotation));
    }
}
