package io.idem.applications.rabbit.noconfirms;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.stereotype.Component;

/**
 * An application without publisher confirms, the default of Spring Boot, which publishes without knowing the result.
 */
@SpringBootApplication
public class WithoutConfirms {

    @Component
    static class Payments {

        private final Ledger ledger;
        private final RabbitTemplate template;

        Payments(Ledger ledger, RabbitTemplate template) {
            this.ledger = ledger;
            this.template = template;
        }

        @RabbitListener(queues = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        void pay(String payment, @Header(AmqpHeaders.CONSUMER_QUEUE) String queue) {
            template.convertAndSend("", queue + ".events", payment);
            ledger.pay(payment);
        }
    }
}
