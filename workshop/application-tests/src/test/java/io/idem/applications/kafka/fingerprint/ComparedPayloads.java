package io.idem.applications.kafka.fingerprint;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.FingerprintSource;
import io.idem.consumer.IdempotentListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** An application that receives another payload under a used key and compares the bodies. */
@SpringBootApplication
public class ComparedPayloads {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @KafkaListener(topics = "${shop.queue}")
        @IdempotentListener(scope = "payments", fingerprint = FingerprintSource.BODY)
        void pay(String payment) {
            ledger.pay(payment);
        }
    }
}
