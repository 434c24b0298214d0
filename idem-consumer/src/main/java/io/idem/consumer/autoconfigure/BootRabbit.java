package io.idem.consumer.autoconfigure;

import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Boot's support for RabbitMQ by its names: Spring Boot 4.2 moved it to another module and package. */
final class BootRabbit {

    private static final String PACKAGE = "org.springframework.boot.rabbitmq.autoconfigure.";
    private static final String EARLIER_PACKAGE = "org.springframework.boot.amqp.autoconfigure.";
    private static final String CONFIGURER = "RabbitTemplateConfigurer";
    private static final String CUSTOMIZER = "RabbitTemplateCustomizer";

    static final String AUTO_CONFIGURATION = PACKAGE + "RabbitAutoConfiguration";
    static final String EARLIER_AUTO_CONFIGURATION = EARLIER_PACKAGE + "RabbitAutoConfiguration";

    private BootRabbit() {}

    /** Gives a template what Boot gives its own: the settings, and what customizers of the application do. */
    static void configure(RabbitTemplate template, ListableBeanFactory beans) {
        ConnectionFactory connections = template.getConnectionFactory();
        Class<?> configurer = type(CONFIGURER);
        Method configure = ClassUtils.getMethod(configurer, "configure", RabbitTemplate.class, ConnectionFactory.class);
        ReflectionUtils.invokeMethod(configure, beans.getBean(configurer), template, connections);
        Class<?> customizer = type(CUSTOMIZER);
        Method customize = ClassUtils.getMethod(customizer, "customize", RabbitTemplate.class);
        beans.getBeanProvider(customizer)
                .orderedStream()
                .forEach(own -> ReflectionUtils.invokeMethod(customize, own, template));
    }

    /** Returns the names of the types whose methods are called. */
    static Stream<String> called() {
        return Stream.of(PACKAGE, EARLIER_PACKAGE).flatMap(name -> Stream.of(name + CONFIGURER, name + CUSTOMIZER));
    }

    private static Class<?> type(String name) {
        boolean moved = ClassUtils.isPresent(PACKAGE + name, null);
        return ClassUtils.resolveClassName((moved ? PACKAGE : EARLIER_PACKAGE) + name, null);
    }

    /** Condition for a template that Boot's configurer configures. */
    static final class OnClassPath extends AnyNestedCondition {

        OnClassPath() {
            super(ConfigurationPhase.PARSE_CONFIGURATION);
        }

        @ConditionalOnClass(name = PACKAGE + CONFIGURER)
        static class Moved {}

        @ConditionalOnClass(name = EARLIER_PACKAGE + CONFIGURER)
        static class Earlier {}
    }
}
