package io.idem.applications.rabbit.fanout;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

/** An application that makes three messages of one, each with the properties of that one. */
@SpringBootApplication
public class FannedOut {

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
        void pay(String payment, Message message) {
            MessageProperties properties = message.getMessageProperties();
            for (String item : List.of("x", "y", "z")) {
                byte[] body = (item + " of " + payment).getBytes(StandardCharsets.UTF_8);
                template.send("", properties.getConsumerQueue() + ".events", new Message(body, properties));
            }
            ledger.pay(payment);
        }

        @RabbitListener(queues = "${shop.queue}.events")
        @IdempotentListener(scope = "items")
        void item(String item) {
            ledger.pay(item);
        }
    }
}
