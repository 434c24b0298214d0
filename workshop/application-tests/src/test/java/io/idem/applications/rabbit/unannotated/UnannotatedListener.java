package io.idem.applications.rabbit.unannotated;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.nio.charset.StandardCharsets;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/** An application with its own container for a method that Spring does not know as a listener. */
@SpringBootApplication
public class UnannotatedListener {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }

    @Bean
    SimpleMessageListenerContainer container(
            ConnectionFactory connections, Payments payments, @Value("${shop.queue}") String queue) {
        SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connections);
        container.setQueueNames(queue);
        container.setShutdownTimeout(500);
        container.setMessageListener(message -> payments.pay(new String(message.getBody(), StandardCharsets.UTF_8)));
        return container;
    }
}
