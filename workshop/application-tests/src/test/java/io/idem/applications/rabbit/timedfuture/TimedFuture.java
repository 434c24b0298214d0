package io.idem.applications.rabbit.timedfuture;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

/** An application whose listener returns a future with a time limit. */
@SpringBootApplication
public class TimedFuture {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        CompletableFuture<Void> pay(String payment) {
            return CompletableFuture.runAsync(() -> ledger.pay(payment)).orTimeout(30, TimeUnit.SECONDS);
        }
    }
}
