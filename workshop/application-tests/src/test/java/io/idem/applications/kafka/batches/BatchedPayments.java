package io.idem.applications.kafka.batches;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.util.List;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** An application with a batch listener. */
@SpringBootApplication
public class BatchedPayments {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @KafkaListener(topics = "${shop.queue}", batch = "true")
        @IdempotentListener(scope = "payments")
        void pay(List<String> payments) {
            payments.forEach(ledger::pay);
        }
    }
}
