package io.idem.consumer.kafka;

import java.lang.reflect.Modifier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.NativeDetector;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.ShareKafkaListenerContainerFactory;
import org.springframework.kafka.listener.ShareKafkaMessageListenerContainer;

/**
 * Hooks the containers of share groups. Their factory asks no post-processor of the listener's, so the factory itself is proxied; by its
 * class, so that whoever injects it still can.
 */
public final class ShareFactoryPostProcessor implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof ShareKafkaListenerContainerFactory) || !canBeProxied(bean.getClass())) {
            return bean;
        }
        ProxyFactory proxy = new ProxyFactory(bean);
        proxy.setProxyTargetClass(true);
        proxy.addAdvice((MethodInterceptor) ShareFactoryPostProcessor::hookWhatItMakes);
        return proxy.getProxy(bean.getClass().getClassLoader());
    }

    /** Whose factory cannot be is refused later, if its listener is idempotent; an application without one must start. */
    private static boolean canBeProxied(Class<?> type) {
        return !Modifier.isFinal(type.getModifiers()) && !NativeDetector.inNativeImage();
    }

    private static @Nullable Object hookWhatItMakes(MethodInvocation call) throws Throwable {
        Object made = call.proceed();
        if (made instanceof ShareKafkaMessageListenerContainer<?, ?> container
                && call.getArguments()[0] instanceof KafkaListenerEndpoint endpoint
                && endpoint.getContainerPostProcessor() instanceof ContainerHook hook) {
            hook.postProcess(container);
        }
        return made;
    }
}
