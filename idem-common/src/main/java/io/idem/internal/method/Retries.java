package io.idem.internal.method;

import org.aopalliance.aop.Advice;
import org.springframework.aop.Advisor;
import org.springframework.aop.aspectj.AbstractAspectJAdvice;

/** Advisors of libraries that call a method again when it fails. Named by text, since applications may be without them. */
final class Retries {

    private static final String SPRING_RETRY =
            "org.springframework.retry.annotation.AnnotationAwareRetryOperationsInterceptor";

    private Retries() {}

    static boolean repeats(Advisor advisor) {
        Advice advice = advisor.getAdvice();
        return advice.getClass().getName().equals(SPRING_RETRY)
                || (advice instanceof AbstractAspectJAdvice aspect
                        && isResilience4j(aspect.getAspectJAdviceMethod()
                                .getDeclaringClass()
                                .getName()));
    }

    private static boolean isResilience4j(String aspect) {
        // Between the two stands the line of Spring, such as spring6.
        return aspect.startsWith("io.github.resilience4j.") && aspect.endsWith(".RetryAspect");
    }
}
