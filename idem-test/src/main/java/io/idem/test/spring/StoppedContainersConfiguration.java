package io.idem.test.spring;

import io.idem.consumer.IdempotencyHeaders;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/** Keeps the containers of annotated listeners from starting, because there is no broker. */
@Configuration(proxyBeanMethods = false)
class StoppedContainersConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RabbitListenerEndpointRegistry.class, IdempotencyHeaders.class})
    static class Rabbit {

        @Bean
        StoppedContainers testRabbitStoppedContainers(ObjectProvider<RabbitListenerEndpointRegistry> registry) {
            return new StoppedContainers(() -> registry.stream()
                    .flatMap(containers -> containers.getListenerContainers().stream())
                    .filter(AbstractMessageListenerContainer.class::isInstance)
                    .forEach(container -> ((AbstractMessageListenerContainer) container).setAutoStartup(false)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({KafkaListenerEndpointRegistry.class, IdempotencyHeaders.class})
    static class Kafka {

        @Bean
        StoppedContainers testKafkaStoppedContainers(ObjectProvider<KafkaListenerEndpointRegistry> registry) {
            return new StoppedContainers(() -> registry.stream()
                    .flatMap(containers -> containers.getListenerContainers().stream())
                    .forEach(container -> container.setAutoStartup(false)));
        }
    }
}
