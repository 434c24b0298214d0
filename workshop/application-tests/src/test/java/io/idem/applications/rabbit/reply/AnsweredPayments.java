package io.idem.applications.rabbit.reply;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.stereotype.Component;

/** An application whose replies are messages with headers. */
@SpringBootApplication
public class AnsweredPayments {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = "${shop.queue}")
        @SendTo("${shop.queue}.events")
        @IdempotentListener(scope = "payments")
        Message<String> pay(String payment) {
            ledger.pay(payment);
            return MessageBuilder.withPayload("receipt of " + payment)
                    .setHeader("receipt", payment)
                    .build();
        }
    }
}
