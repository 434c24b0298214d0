package io.idem.consumer.internal.guard;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.definition.ListenerDefinitions;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;

/**
 * Puts the deciding interceptor around every {@link IdempotentListener} method: outside {@code @Transactional}, so that
 * COMPLETE follows the commit, and inside every retry.
 */
public final class IdempotentListenerAdvisor extends StaticMethodMatcherPointcutAdvisor {

    /**
     * Order outside of transactions, whose default is {@link Ordered#LOWEST_PRECEDENCE}, with free numbers on both
     * sides. Where the application gives transactions a smaller order, the advisor's is smaller still.
     */
    public static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1000;

    private final transient IntSupplier order;

    /**
     * Makes the advisor of an application.
     *
     * @param listeners needed at the first delivery: advisors exist before the beans they need
     * @param beans where the application's transactions are looked for
     */
    public IdempotentListenerAdvisor(Supplier<IdempotentListeners> listeners, ConfigurableListableBeanFactory beans) {
        this(listeners, new ProxyOrder(beans)::value);
    }

    IdempotentListenerAdvisor(Supplier<IdempotentListeners> listeners, IntSupplier order) {
        super(new Deciding(listeners));
        this.order = order;
        setClassFilter((ClassFilter) type -> AnnotationUtils.isCandidateClass(type, IdempotentListener.class));
    }

    @Override
    public int getOrder() {
        return order.getAsInt();
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return ListenerDefinitions.annotation(method, targetClass) != null;
    }

    private record Deciding(Supplier<IdempotentListeners> listeners) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            return listeners.get().call(CurrentDelivery.get(), invocation);
        }
    }

    /**
     * Order of idempotent work among the other advisors of a bean: outside of transactions, whatever
     * {@code @EnableTransactionManagement(order = …)} says, and otherwise as far inside as that allows.
     */
    private static final class ProxyOrder {

        private final ConfigurableListableBeanFactory beans;

        ProxyOrder(ConfigurableListableBeanFactory beans) {
            this.beans = beans;
        }

        /** Computed whenever a proxy is made, since transactions may be set up after the first of them. */
        int value() {
            return Arrays.stream(
                            beans.getBeanNamesForType(BeanFactoryTransactionAttributeSourceAdvisor.class, true, false))
                    // Like the proxy creator: a proxy that is needed to make the advisor cannot have it.
                    .filter(name -> !beans.isCurrentlyInCreation(name))
                    .map(name -> beans.getBean(name, BeanFactoryTransactionAttributeSourceAdvisor.class))
                    .mapToInt(advisor -> justBefore(advisor.getOrder()))
                    .reduce(ORDER, Math::min);
        }

        private static int justBefore(int order) {
            return order == Integer.MIN_VALUE ? order : order - 1;
        }
    }
}
