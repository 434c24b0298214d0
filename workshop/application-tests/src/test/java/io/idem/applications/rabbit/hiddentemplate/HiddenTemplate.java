package io.idem.applications.rabbit.hiddentemplate;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.stereotype.Component;

/** An application with a template that is no bean, whose messages carry no key. */
@SpringBootApplication
public class HiddenTemplate {

    @Component
    static class Payments {

        private final Ledger ledger;
        private final RabbitTemplate template;

        Payments(Ledger ledger, ConnectionFactory connections) {
            this.ledger = ledger;
            this.template = new RabbitTemplate(connections);
        }

        @RabbitListener(queues = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        void pay(String payment, @Header(AmqpHeaders.CONSUMER_QUEUE) String queue) {
            template.convertAndSend("", queue + ".events", payment);
            ledger.pay(payment);
        }
    }
}
