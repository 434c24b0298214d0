package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.internal.kafka.message.IdempotentKafkaEndpoint;
import java.util.function.Supplier;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Installs the delivery hooks: in the containers that a registry makes for its endpoints, and in containers that are
 * beans and deliver to a bean with an idempotent {@code onMessage}.
 *
 * @param hooks needed when the first container is made
 */
public record KafkaHookInstaller(Supplier<KafkaDeliveryHooks> hooks)
        implements SmartInstantiationAwareBeanPostProcessor {

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof MessageListenerContainer container) {
            IdempotentKafkaEndpoint.of(container.getContainerProperties().getMessageListener())
                    .ifPresent(endpoint -> hooks.get().installInBean(endpoint, container));
        }
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof KafkaListenerEndpointRegistry registry)) {
            return bean;
        }
        ProxyFactory proxy = new ProxyFactory(registry);
        proxy.setProxyTargetClass(true);
        proxy.addAdvice(new KafkaEndpointRegistrations(hooks));
        return proxy.getProxy(registry.getClass().getClassLoader());
    }

    /** Lets ahead-of-time processing make the proxy's class, which a native image cannot do while it runs. */
    @Override
    public Class<?> determineBeanType(Class<?> beanClass, String beanName) {
        if (!KafkaListenerEndpointRegistry.class.isAssignableFrom(beanClass)) {
            return beanClass;
        }
        ProxyFactory proxy = new ProxyFactory();
        proxy.setTargetClass(beanClass);
        proxy.setProxyTargetClass(true);
        return proxy.getProxyClass(beanClass.getClassLoader());
    }
}
