package io.idem.applications.rabbit.amqpreply;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.nio.charset.StandardCharsets;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.stereotype.Component;

/** An application whose replies are AMQP messages. */
@SpringBootApplication
public class AnsweredWithAmqp {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = "${shop.queue}")
        @SendTo("${shop.queue}.events")
        @IdempotentListener(scope = "payments")
        Message pay(String payment) {
            ledger.pay(payment);
            return MessageBuilder.withBody(("receipt of " + payment).getBytes(StandardCharsets.UTF_8))
                    .setHeader("receipt", payment)
                    .build();
        }
    }
}
