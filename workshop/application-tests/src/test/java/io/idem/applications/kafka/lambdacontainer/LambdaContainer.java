package io.idem.applications.kafka.lambdacontainer;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.stereotype.Component;

/** An application with its own container, whose listener is a lambda. */
@SpringBootApplication
public class LambdaContainer {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @KafkaListener(topics = "${shop.queue}", autoStartup = "false")
        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }

    @Bean
    ConcurrentMessageListenerContainer<String, String> container(
            ConsumerFactory<String, String> consumers, Payments payments, @Value("${shop.queue}") String queue) {
        ContainerProperties properties = new ContainerProperties(queue);
        properties.setMessageListener((MessageListener<String, String>) record -> payments.pay(record.value()));
        return new ConcurrentMessageListenerContainer<>(consumers, properties);
    }
}
