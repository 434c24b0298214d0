package io.idem.applications.kafka.mono;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** An application whose listener returns a Mono. */
@SpringBootApplication
public class ReactivePayments {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @KafkaListener(topics = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        Mono<Void> pay(String payment) {
            return Mono.fromRunnable(() -> ledger.pay(payment));
        }
    }
}
