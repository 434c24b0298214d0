package io.idem.consumer.autoconfigure;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.guard.LibraryVersion;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.SpringBootVersion;
import org.springframework.util.ClassUtils;

/**
 * Refuses the start of an application that has spring-rabbit and no connection to RabbitMQ: its listeners would receive nothing.
 * The usual reason is that the starter of another version of Spring Boot was added, or none.
 */
record RabbitConnectionCheck(ListableBeanFactory beans) implements SmartInitializingSingleton {

    /** Connections of AMQP 1.0, whose library brings spring-rabbit along. */
    static final String AMQP_ONE = "org.springframework.amqp.rabbitmq.client.AmqpConnectionFactory";

    @Override
    public void afterSingletonsInstantiated() {
        if (isMissing(ConnectionFactory.class)
                && (!ClassUtils.isPresent(AMQP_ONE, null) || isMissing(ClassUtils.resolveClassName(AMQP_ONE, null)))) {
            throw new ListenerConfigurationException(
                    "spring-rabbit is on the class path, and the application has no ConnectionFactory bean for it:"
                            + " no listener would receive a message from RabbitMQ",
                    remedy(new LibraryVersion(SpringBootVersion.getVersion())),
                    null);
        }
    }

    private boolean isMissing(Class<?> type) {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type).length == 0;
    }

    /** Names the starter of RabbitMQ for a version of Spring Boot. */
    static String remedy(LibraryVersion boot) {
        boolean before = boot.isBefore(4, 2);
        return "Add " + (before ? "spring-boot-starter-amqp" : "spring-boot-starter-rabbitmq")
                + ", the starter of RabbitMQ on Spring Boot " + boot.text()
                + (before ? "" : " (spring-boot-starter-amqp is not: it connects to AMQP 1.0)")
                + ", or declare a ConnectionFactory. An application that does not use RabbitMQ says so with"
                + " spring.autoconfigure.exclude="
                + (before ? BootRabbit.EARLIER_AUTO_CONFIGURATION : BootRabbit.AUTO_CONFIGURATION);
    }
}
