package io.idem.applications.rabbit.fingerprint;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.FingerprintSource;
import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
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

        @RabbitListener(queues = "${shop.queue}")
        @IdempotentListener(scope = "payments", fingerprint = FingerprintSource.BODY)
        void pay(String payment) {
            ledger.pay(payment);
        }
    }
}
