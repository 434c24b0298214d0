package io.idem.applications.kafka.transactional;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** An application with a database transaction around the work. */
@SpringBootApplication
public class TransactionalPayments {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @KafkaListener(topics = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        @Transactional
        public void pay(String payment) {
            ledger.pay(payment);
        }
    }
}
