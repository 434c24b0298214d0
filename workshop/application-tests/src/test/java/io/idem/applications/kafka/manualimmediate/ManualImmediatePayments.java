package io.idem.applications.kafka.manualimmediate;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.stereotype.Component;

/** An application whose listener acknowledges manually, with an immediate commit. */
@SpringBootApplication
public class ManualImmediatePayments {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @KafkaListener(topics = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        void pay(String payment, Acknowledgment acknowledgment) {
            ledger.pay(payment);
            acknowledgment.acknowledge();
        }
    }
}
