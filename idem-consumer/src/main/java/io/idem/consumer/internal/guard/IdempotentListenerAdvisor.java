package io.idem.consumer.internal.guard;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.definition.ListenerDefinitions;
import io.idem.consumer.internal.definition.ListenerShape;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.internal.method.AnnotatedMethods;
import io.idem.internal.method.Transactions;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Puts the deciding interceptor around every {@link IdempotentListener} method: outside {@code @Transactional}, so that
 * COMPLETE follows the commit, and inside {@code @Retryable} of Spring Framework.
 */
public final class IdempotentListenerAdvisor extends StaticMethodMatcherPointcutAdvisor {

    /** Order of the advisors of listeners where the application gives transactions no smaller one. */
    public static final int ORDER = Transactions.ORDER;

    private final transient IntSupplier order;

    /**
     * Makes the advisor of an application.
     *
     * @param listeners needed at the first delivery: advisors exist before the beans they need
     * @param beans where the application's transactions are looked for
     */
    public IdempotentListenerAdvisor(Supplier<IdempotentListeners> listeners, ConfigurableListableBeanFactory beans) {
        this(listeners, () -> Transactions.orderOutside(beans));
    }

    IdempotentListenerAdvisor(Supplier<IdempotentListeners> listeners, IntSupplier order) {
        super(new Deciding(listeners));
        this.order = order;
        setClassFilter((ClassFilter) type -> AnnotatedMethods.mayBeOn(type, IdempotentListener.class));
    }

    @Override
    public int getOrder() {
        return order.getAsInt();
    }

    /**
     * Returns whether a method is a listener. Checks that a proxy can override it, before Spring makes one: a factory may make
     * a bean of another class than it declares. Kotlin copies the annotations of a function that suspends to a static method, which
     * nothing calls through the proxy.
     */
    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        boolean listener = ListenerDefinitions.annotation(method, targetClass) != null;
        if (listener && !method.isSynthetic() && !Proxy.isProxyClass(targetClass)) {
            ListenerShape.checkReachable(targetClass, method);
        }
        return listener;
    }

    private record Deciding(Supplier<IdempotentListeners> listeners) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            return listeners.get().call(CurrentDelivery.get(), invocation);
        }
    }
}
