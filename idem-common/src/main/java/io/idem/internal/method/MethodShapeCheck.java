package io.idem.internal.method;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.core.Ordered;

/**
 * Refuses classes whose {@link io.idem.Idempotent} methods no proxy could guard, before Spring fails with a message of its own, and beans
 * whose finished proxies would not guard them, also those that are made late.
 */
public final class MethodShapeCheck implements SmartInstantiationAwareBeanPostProcessor, Ordered {

    @Override
    public @Nullable Object postProcessBeforeInstantiation(Class<?> beanClass, String beanName) {
        MethodShape.check(beanClass);
        return null;
    }

    /** Called behind the proxy creators. */
    @Override
    public Object getEarlyBeanReference(Object bean, String beanName) {
        checkProxies(bean, beanName);
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        checkProxies(bean, beanName);
        return bean;
    }

    private static void checkProxies(Object bean, String beanName) {
        if (!(bean instanceof Advised)) {
            return;
        }
        for (Method method : MethodShape.methods(AopProxyUtils.ultimateTargetClass(bean))) {
            guard(bean, beanName, method).checkOrder();
        }
    }

    /** Returns the proxies of a method, of which one decides. */
    static ProxyGuard guard(Object bean, String beanName, Method method) {
        ProxyLayers.of(bean).decideOnce(IdempotentMethodAdvisor.class);
        return ProxyGuard.of(bean, beanName, method, IdempotentMethodAdvisor.class, MethodConfigurationException::new);
    }

    /** Behind the post-processors that make proxies or add to them. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }
}
