package io.idem.internal.method;

import io.idem.Idempotent;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Role;

/**
 * Puts the deciding interceptor around every {@link Idempotent} method that is no handler of HTTP requests: outside {@code @Transactional},
 * so that the record is completed after the commit, and inside {@code @Async} and {@code @Retryable} of Spring Framework, whose proxies
 * are put around all others.
 */
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class IdempotentMethodAdvisor extends StaticMethodMatcherPointcutAdvisor {

    private final transient ConfigurableListableBeanFactory beans;

    /**
     * Makes the advisor of an application.
     *
     * @param methods needed at the first call: advisors exist before the beans they need
     * @param beans where the application's transactions are looked for
     */
    IdempotentMethodAdvisor(ObjectProvider<IdempotentMethods> methods, ConfigurableListableBeanFactory beans) {
        super(new Deciding(methods));
        this.beans = beans;
        setClassFilter((ClassFilter) type -> AnnotatedMethods.mayBeOn(type, Idempotent.class));
    }

    @Override
    public int getOrder() {
        return Transactions.orderOutside(beans);
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return MethodShape.isGuarded(AopUtils.getMostSpecificMethod(method, targetClass), targetClass);
    }

    private record Deciding(ObjectProvider<IdempotentMethods> methods) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            return methods.getObject().call(invocation);
        }
    }
}
