package io.idem.applications.rabbit.services;

import io.idem.Idempotent;
import io.idem.applications.shop.Ledger;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

/** An application whose listener is plain and calls a guarded method of a service. */
@SpringBootApplication
public class GuardedService {

    /** Guarded for each payment, whoever calls it. */
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

        @RabbitListener(queues = "${shop.queue}")
        void receive(String payment) {
            payments.pay(payment);
        }
    }
}
