package io.idem.consumer;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Puts the deciding half around every {@link IdempotentListener} method: outside {@code @Transactional}, so that COMPLETE
 * follows the commit, and inside every retry.
 *
 * <p>A call that is not a delivery — the application's own, or one from inside another listener — passes through unguarded:
 * it has no message to take a key from and nobody who would settle a deferral.
 */
public final class IdempotentListenerAdvisor extends StaticMethodMatcherPointcutAdvisor {

    /** Outside of transactions, whose default order is {@link Ordered#LOWEST_PRECEDENCE}, with room on both sides. */
    public static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1000;

    private static final Logger LOG = LoggerFactory.getLogger(IdempotentListenerAdvisor.class);

    /**
     * The advisor.
     *
     * @param listeners asked at the first delivery: advisors exist before the beans they need
     */
    public IdempotentListenerAdvisor(Supplier<IdempotentListeners> listeners) {
        super(new Deciding(listeners));
        setOrder(ORDER);
        setClassFilter((ClassFilter) type -> AnnotationUtils.isCandidateClass(type, IdempotentListener.class));
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return ListenerDefinitions.annotation(method, targetClass) != null;
    }

    /** Whether an advice is this one, for validation. */
    static boolean isDeciding(Advice advice) {
        return advice instanceof Deciding;
    }

    private record Deciding(Supplier<IdempotentListeners> listeners) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            Optional<Delivery> delivery = CurrentDelivery.get();
            if (delivery.isEmpty()) {
                LOG.debug("{} was called outside a delivery and runs unguarded", invocation.getMethod());
                return invocation.proceed();
            }
            return listeners.get().call(delivery.get(), invocation);
        }
    }
}
