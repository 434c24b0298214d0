package io.idem.consumer.internal.rabbit.container;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.definition.DefinedListener;
import io.idem.consumer.internal.guard.LibraryVersion;
import io.idem.consumer.internal.rabbit.message.ContainerFacts;
import java.lang.reflect.Method;
import java.util.Optional;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;

/**
 * Installs the delivery hooks: in the containers that a registry makes for its endpoints, and in containers that are
 * beans and call a method of a bean.
 */
public final class RabbitHookInstaller implements SmartInstantiationAwareBeanPostProcessor {

    private final HookParts parts;

    /**
     * Makes an installer.
     *
     * @throws ListenerConfigurationException if this application's spring-amqp is too early
     */
    public RabbitHookInstaller(HookParts parts) {
        checkVersion(LibraryVersion.of(AbstractMessageListenerContainer.class, "spring-rabbit"));
        this.parts = parts;
    }

    /** Refuses a spring-amqp that lacks types which the delivery hooks implement and throw. */
    private static void checkVersion(LibraryVersion springAmqp) {
        if (springAmqp.isBefore(4, 1)) {
            throw new ListenerConfigurationException(
                    "idem cannot guard listeners on RabbitMQ with spring-amqp " + springAmqp.text()
                            + ": it needs spring-amqp 4.1 or newer",
                    "Use Spring Boot 4.1 or newer");
        }
    }

    /** Installs the hook before the container takes its advices, which is when it is initialized. */
    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof AbstractMessageListenerContainer container) {
            Optional<IdempotentRabbitEndpoint> endpoint = IdempotentRabbitEndpoint.of(container);
            endpoint.ifPresent(idempotent -> new HookInstallation(idempotent, container, parts).install());
        }
        return bean;
    }

    /**
     * Installs the hook in a container whose listener hands its messages to a listener that is no annotated method;
     * before the container starts, and although it may be initialized already.
     *
     * @param listener brings its definition along
     * @param named the method by which a developer finds it
     * @throws ListenerConfigurationException if the container cannot be made safe
     */
    public void install(DefinedListener listener, Method named, AbstractMessageListenerContainer container) {
        new HookInstallation(IdempotentRabbitEndpoint.of(listener, named), container, parts).install();
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof AbstractMessageListenerContainer container && !isHooked(container)) {
            PlainListenerHook.install(container, parts);
            new ContainerFacts(container).takeAdvices();
        }
        if (!(bean instanceof RabbitListenerEndpointRegistry registry)) {
            return bean;
        }
        ProxyFactory proxy = new ProxyFactory(registry);
        proxy.setProxyTargetClass(true);
        proxy.addAdvice(new RabbitEndpointRegistrations(parts));
        return proxy.getProxy(registry.getClass().getClassLoader());
    }

    private static boolean isHooked(AbstractMessageListenerContainer container) {
        return new ContainerFacts(container).adviceChain().stream().anyMatch(RabbitListenerHook.class::isInstance);
    }

    /** Lets ahead-of-time processing make the proxy's class, which a native image cannot do while it runs. */
    @Override
    public Class<?> determineBeanType(Class<?> beanClass, String beanName) {
        if (!RabbitListenerEndpointRegistry.class.isAssignableFrom(beanClass)) {
            return beanClass;
        }
        ProxyFactory proxy = new ProxyFactory();
        proxy.setTargetClass(beanClass);
        proxy.setProxyTargetClass(true);
        return proxy.getProxyClass(beanClass.getClassLoader());
    }
}
