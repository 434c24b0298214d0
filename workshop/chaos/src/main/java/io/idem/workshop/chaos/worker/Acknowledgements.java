package io.idem.workshop.chaos.worker;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.NoOpMetricsCollector;
import io.idem.workshop.child.CurrentRecord;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

/** Observes outgoing acknowledgements through hooks of the brokers' own clients. */
@Configuration(proxyBeanMethods = false)
class Acknowledgements {

    @Bean
    static BeanPostProcessor acknowledgementWatcher(CurrentRecord current) {
        return new Watcher(current);
    }

    private record Watcher(CurrentRecord current) implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            if (bean instanceof CachingConnectionFactory connections) {
                connections.getRabbitConnectionFactory().setMetricsCollector(new RabbitAcknowledgements(current));
            } else if (bean instanceof DefaultKafkaConsumerFactory<?, ?> consumers) {
                watch(consumers);
            }
            return bean;
        }

        private <K, V> void watch(DefaultKafkaConsumerFactory<K, V> consumers) {
            consumers.addPostProcessor(consumer -> watched(consumer, current));
        }
    }

    private static final class RabbitAcknowledgements extends NoOpMetricsCollector {

        private final CurrentRecord current;

        RabbitAcknowledgements(CurrentRecord current) {
            this.current = current;
        }

        @Override
        public void basicAck(Channel channel, long deliveryTag, boolean multiple) {
            current.acknowledged();
        }
    }

    @SuppressWarnings("unchecked")
    private static <K, V> Consumer<K, V> watched(Consumer<K, V> consumer, CurrentRecord current) {
        return (Consumer<K, V>) Proxy.newProxyInstance(
                Consumer.class.getClassLoader(), new Class<?>[] {Consumer.class}, (proxy, method, arguments) -> {
                    Object result = invoke(consumer, method, arguments);
                    if (method.getName().equals("commitSync")) {
                        current.acknowledged();
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
}
