package io.idem.servers.spring;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.DirectRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Spring Boot's support for RabbitMQ, for tests and programs that run on Spring Boot 4.1 and on 4.2, which moved it to another package.
 */
public final class RabbitOfBoot {

    /** The auto-configuration from Spring Boot 4.2 on. */
    public static final String AUTO_CONFIGURATION =
            "org.springframework.boot.rabbitmq.autoconfigure.RabbitAutoConfiguration";

    /** The auto-configuration before Spring Boot 4.2. */
    public static final String EARLIER_AUTO_CONFIGURATION =
            "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration";

    private RabbitOfBoot() {}

    /** Returns the auto-configuration that is on the class path. */
    public static Class<?> autoConfiguration() {
        return type("RabbitAutoConfiguration");
    }

    private static Class<?> type(String name) {
        String auto = ClassUtils.isPresent(AUTO_CONFIGURATION, null) ? AUTO_CONFIGURATION : EARLIER_AUTO_CONFIGURATION;
        return ClassUtils.resolveClassName(ClassUtils.getPackageName(auto) + "." + name, null);
    }

    /** Gives a container factory the settings that Boot gives its own, and returns it. */
    public static <F extends AbstractRabbitListenerContainerFactory<?>> F configured(
            F factory, ConnectionFactory connections, BeanFactory beans) {
        String kind = factory instanceof DirectRabbitListenerContainerFactory ? "Direct" : "Simple";
        Class<?> configurer = type(kind + "RabbitListenerContainerFactoryConfigurer");
        Method configure = ClassUtils.getMethod(
                configurer, "configure", AbstractRabbitListenerContainerFactory.class, ConnectionFactory.class);
        ReflectionUtils.invokeMethod(configure, beans.getBean(configurer), factory, connections);
        return factory;
    }

    /** Registers a customizer of the template that Boot makes. */
    public static BeanDefinitionRegistryPostProcessor templateCustomizer(Consumer<RabbitTemplate> own) {
        return customizer("RabbitTemplateCustomizer", own);
    }

    /** Registers a customizer of the client's factory of connections. */
    public static BeanDefinitionRegistryPostProcessor connectionCustomizer(
            Consumer<com.rabbitmq.client.ConnectionFactory> own) {
        return customizer("ConnectionFactoryCustomizer", own);
    }

    @SuppressWarnings("unchecked")
    private static <T> BeanDefinitionRegistryPostProcessor customizer(String name, Consumer<T> own) {
        Class<Object> type = (Class<Object>) type(name);
        InvocationHandler customize = (proxy, method, arguments) -> {
            if (method.getDeclaringClass() == Object.class) {
                return method.invoke(own, arguments);
            }
            own.accept((T) arguments[0]);
            return null;
        };
        return registry -> registry.registerBeanDefinition(
                name + registry.getBeanDefinitionCount(),
                new RootBeanDefinition(
                        type, () -> Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, customize)));
    }
}
