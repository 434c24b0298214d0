package io.idem.applications.rabbit.privatemethod;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

/** An application with a private listener method. */
@SpringBootApplication
public class PrivatePayments {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @SuppressWarnings("UnusedMethod")
        @RabbitListener(queues = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        private void pay(String payment) {
            ledger.pay(payment);
        }
    }
}
