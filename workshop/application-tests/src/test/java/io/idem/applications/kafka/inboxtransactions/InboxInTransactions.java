package io.idem.applications.kafka.inboxtransactions;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** An application with an inbox inside transactions of the container. */
@SpringBootApplication
public class InboxInTransactions {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @KafkaListener(topics = "${shop.queue}")
        @IdempotentListener(scope = "payments", inbox = true)
        void pay(String payment) {
            ledger.pay(payment);
        }
    }
}
