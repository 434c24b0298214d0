package io.idem.applications.rabbit.requeuedinbox;

import io.idem.applications.shop.CardRefusedException;
import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

/** An application that sends a failed message back to its queue in the transaction of an inbox. */
@SpringBootApplication
public class RequeuedInInbox {

    @Component
    static class Payments {

        private final Ledger ledger;
        private final RabbitTemplate template;

        Payments(Ledger ledger, RabbitTemplate template) {
            this.ledger = ledger;
            this.template = template;
        }

        @RabbitListener(queues = "${shop.queue}")
        @IdempotentListener(scope = "payments", inbox = true)
        void pay(String payment, Message message) {
            try {
                ledger.pay(payment);
            } catch (CardRefusedException later) {
                message.getMessageProperties().incrementRetryCount();
                template.send("", message.getMessageProperties().getConsumerQueue(), message);
            }
        }
    }
}
