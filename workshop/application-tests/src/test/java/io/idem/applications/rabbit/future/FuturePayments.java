package io.idem.applications.rabbit.future;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.util.concurrent.CompletableFuture;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

/** An application whose listener returns a future. */
@SpringBootApplication
public class FuturePayments {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        CompletableFuture<Void> pay(String payment) {
            return CompletableFuture.runAsync(() -> ledger.pay(payment));
        }
    }
}
