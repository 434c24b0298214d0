package io.idem.applications.rabbit.lazy;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/** Lazy initialization, and something that asks for the listener later. */
@SpringBootApplication
public class LazyPayments {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }

    /** Asked for by Boot, as all runners are. */
    @Bean
    ApplicationRunner first(Payments payments) {
        return arguments -> {};
    }
}
