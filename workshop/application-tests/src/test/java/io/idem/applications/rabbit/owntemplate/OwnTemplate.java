package io.idem.applications.rabbit.owntemplate;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.stereotype.Component;

/** An application with its own template with publisher confirms. */
@SpringBootApplication
public class OwnTemplate {

    @Component
    static class Payments {

        private final Ledger ledger;
        private final RabbitTemplate template;

        Payments(Ledger ledger, @Qualifier("events") RabbitTemplate template) {
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

    @Bean
    RabbitTemplate events(ConnectionFactory connections) {
        return new RabbitTemplate(connections);
    }
}
