package io.idem.internal.spring;

import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.core.Ordered;

/** Checks beans when their proxies are finished: behind the post-processors that make proxies or add to them. */
public abstract class FinishedBeans implements SmartInstantiationAwareBeanPostProcessor, Ordered {

    /** Checks a bean; throws what stops the application. */
    protected abstract void check(Object bean, String beanName);

    /** Called behind the proxy creators. */
    @Override
    public final Object getEarlyBeanReference(Object bean, String beanName) {
        check(bean, beanName);
        return bean;
    }

    @Override
    public final Object postProcessAfterInitialization(Object bean, String beanName) {
        check(bean, beanName);
        return bean;
    }

    @Override
    public final int getOrder() {
        return LOWEST_PRECEDENCE;
    }
}
