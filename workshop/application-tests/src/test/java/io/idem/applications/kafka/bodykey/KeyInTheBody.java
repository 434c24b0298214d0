package io.idem.applications.kafka.bodykey;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** An application whose key is the body. */
@SpringBootApplication
public class KeyInTheBody {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @KafkaListener(topics = "${shop.queue}")
        @IdempotentListener(scope = "payments", key = "#payment")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }
}
