package io.idem.internal.method;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.aopalliance.aop.Advice;
import org.springframework.aop.Advisor;
import org.springframework.aop.aspectj.AbstractAspectJAdvice;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Advisors of libraries that call a method again when it fails. Named by text, since applications may be without them. */
final class Retries {

    private static final String SPRING_RETRY =
            "org.springframework.retry.annotation.AnnotationAwareRetryOperationsInterceptor";

    private Retries() {}

    static boolean repeats(Advisor advisor, Method method, Class<?> type) {
        Advice advice = advisor.getAdvice();
        return (advice.getClass().getName().equals(SPRING_RETRY) && !passesFailuresOn(method, type))
                || (advice instanceof AbstractAspectJAdvice aspect
                        && isResilience4j(aspect.getAspectJAdviceMethod()
                                .getDeclaringClass()
                                .getName()));
    }

    /** Returns whether a retry has a state, as a circuit breaker has: it throws after each failed call, and its caller repeats. */
    private static boolean passesFailuresOn(Method method, Class<?> type) {
        return Stream.<AnnotatedElement>of(method, type)
                .map(element -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
                        .get("org.springframework.retry.annotation.Retryable"))
                .filter(MergedAnnotation::isPresent)
                .findFirst()
                .map(retryable -> retryable.getBoolean("stateful"))
                .orElse(false);
    }

    private static boolean isResilience4j(String aspect) {
        // Between the two stands the line of Spring, such as spring6.
        return aspect.startsWith("io.github.resilience4j.") && aspect.endsWith(".RetryAspect");
    }
}
