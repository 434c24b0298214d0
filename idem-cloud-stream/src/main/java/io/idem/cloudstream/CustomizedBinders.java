package io.idem.cloudstream;

import java.lang.reflect.Modifier;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.stream.binder.Binder;
import org.springframework.cloud.stream.binder.BinderCustomizer;

/** Equips binders again that a customizer of the application has seen, which may have replaced what idem had set. */
record CustomizedBinders(Supplier<BinderEquipment> equipment) implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof BinderCustomizer)) {
            return bean;
        }
        ProxyFactory proxy = new ProxyFactory(bean);
        proxy.setProxyTargetClass(!Modifier.isFinal(bean.getClass().getModifiers()));
        proxy.addAdvice((MethodInterceptor) invocation -> {
            Object result = invocation.proceed();
            if (invocation.getMethod().getName().equals("customize")
                    && invocation.getArguments()[0] instanceof Binder<?, ?, ?> binder) {
                equipment.get().equip(binder);
            }
            return result;
        });
        return proxy.getProxy(bean.getClass().getClassLoader());
    }
}
