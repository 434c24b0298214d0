package io.idem.applications.rabbit.expiring;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/** An application with a queue whose messages expire sooner than a lease ends. */
@SpringBootApplication
public class ExpiringPayments {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = {"${shop.queue}", "${shop.queue}.expiring"})
        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }

    @Bean
    Queue expiring(@Value("${shop.queue}") String queue) {
        return QueueBuilder.durable(queue + ".expiring")
                .ttl(1_000)
                .expires(60_000)
                .deadLetterExchange("")
                .deadLetterRoutingKey(queue + ".dead")
                .build();
    }
}
