package io.idem.applications.rabbit.validated;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import jakarta.validation.constraints.NotBlank;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;
import org.springframework.validation.annotation.Validated;

/** An application with validated arguments. */
@SpringBootApplication
public class ValidatedPayments {

    @Component
    @Validated
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        void pay(@NotBlank String payment) {
            ledger.pay(payment);
        }
    }
}
