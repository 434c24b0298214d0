package io.idem.applications.rabbit.quorumservice;

import io.idem.Idempotent;
import io.idem.applications.shop.Ledger;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/** An application whose plain listener of a quorum queue calls a guarded method of a service. */
@SpringBootApplication
public class ServiceOnQuorumQueue {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @Idempotent(scope = "payments", key = "#payment")
        String pay(String payment) {
            ledger.pay(payment);
            return "paid";
        }
    }

    @Component
    static class Receiver {

        private final Payments payments;

        Receiver(Payments payments) {
            this.payments = payments;
        }

        @RabbitListener(queues = {"${shop.queue}", "${shop.queue}.quorum"})
        void receive(String payment) {
            payments.pay(payment);
        }
    }

    @Bean
    Queue quorum(@Value("${shop.queue}") String queue) {
        return QueueBuilder.durable(queue + ".quorum")
                .quorum()
                .expires(60_000)
                .deadLetterExchange("")
                .deadLetterRoutingKey(queue + ".dead")
                .build();
    }
}
