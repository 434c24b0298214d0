package io.idem.applications.kafka.lambdapool;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.stereotype.Component;
import org.springframework.util.backoff.FixedBackOff;

/** An application with its own container, whose listener is a lambda that waits for a pool and skips what fails. */
@SpringBootApplication
public class LambdaPool {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @KafkaListener(topics = "${shop.queue}", autoStartup = "false")
        @IdempotentListener(scope = "payments")
        void pay(ConsumerRecord<String, String> payment) {
            ledger.pay(payment.value());
        }
    }

    @Bean(destroyMethod = "shutdownNow")
    ExecutorService pool() {
        return Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work, "payments");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Bean
    ConcurrentMessageListenerContainer<String, String> container(
            ConsumerFactory<String, String> consumers,
            Payments payments,
            ExecutorService pool,
            @Value("${shop.queue}") String queue) {
        ContainerProperties properties = new ContainerProperties(queue);
        properties.setShutdownTimeout(500);
        properties.setMessageListener((MessageListener<String, String>) record ->
                CompletableFuture.runAsync(() -> payments.pay(record), pool).join());
        ConcurrentMessageListenerContainer<String, String> container =
                new ConcurrentMessageListenerContainer<>(consumers, properties);
        container.setCommonErrorHandler(new DefaultErrorHandler(new FixedBackOff(0, 0)));
        return container;
    }
}
