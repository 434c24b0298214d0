package io.idem.applications.rabbit.headerkey;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

/** An application whose key is in a header of the sender. */
@SpringBootApplication
public class KeyInAHeader {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = "${shop.queue}")
        @IdempotentListener(scope = "payments", key = "headers['order-id']")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }
}
