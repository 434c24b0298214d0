package io.idem.workshop.chaos.worker;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

/** Implements {@link Flaw#ACKNOWLEDGE_FIRST}. Changes the acknowledge mode after the library's check at start-up. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = Names.FLAW, havingValue = "ACKNOWLEDGE_FIRST")
class EarlyAcknowledgements {

    @Bean
    RabbitMode earlyRabbitAcknowledgements(RabbitListenerEndpointRegistry registry) {
        return new RabbitMode(registry);
    }

    @Bean
    static BeanPostProcessor earlyKafkaCommits() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String beanName) {
                if (bean instanceof DefaultKafkaConsumerFactory<?, ?> consumers) {
                    commitEarly(consumers);
                }
                return bean;
            }
        };
    }

    private static <K, V> void commitEarly(DefaultKafkaConsumerFactory<K, V> consumers) {
        consumers.addPostProcessor(EarlyAcknowledgements::committingWhatItGets);
    }

    @SuppressWarnings("unchecked")
    private static <K, V> Consumer<K, V> committingWhatItGets(Consumer<K, V> consumer) {
        return (Consumer<K, V>) Proxy.newProxyInstance(
                Consumer.class.getClassLoader(), new Class<?>[] {Consumer.class}, (proxy, method, arguments) -> {
                    Object result = invoke(consumer, method, arguments);
                    if (result instanceof ConsumerRecords<?, ?> records && !records.isEmpty()) {
                        consumer.commitSync();
                    }
                    return result;
                });
    }

    private static @Nullable Object invoke(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }

    /** Changes the mode of the containers after they were created and before they are started. */
    private static final class RabbitMode implements SmartLifecycle {

        private final RabbitListenerEndpointRegistry registry;
        private volatile boolean running;

        RabbitMode(RabbitListenerEndpointRegistry registry) {
            this.registry = registry;
        }

        @Override
        public int getPhase() {
            return registry.getPhase() - 1;
        }

        @Override
        public void start() {
            registry.getListenerContainers()
                    .forEach(container ->
                            ((AbstractMessageListenerContainer) container).setAcknowledgeMode(AcknowledgeMode.NONE));
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }
}
