package io.idem.applications.kafka.services;

import io.idem.Idempotent;
import io.idem.applications.shop.Ledger;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.stereotype.Component;
import org.springframework.util.backoff.FixedBackOff;

/** An application whose listener is plain and calls a guarded method of a service. */
@SpringBootApplication
public class GuardedService {

    /** Guarded for each payment, whoever calls it. */
    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @Idempotent(scope = "payments", key = "#payment")
        String pay(String payment) {
            ledger.pay(payment);
            return "paid";
        }
    }

    @Component
    static class Receiver {

        private final Payments payments;

        Receiver(Payments payments) {
            this.payments = payments;
        }

        @KafkaListener(topics = "${shop.queue}")
        void receive(String payment) {
            payments.pay(payment);
        }
    }

    /** Keeps a record until its key is no longer in progress; by default it would be skipped after ten attempts. */
    @Bean
    DefaultErrorHandler errorHandler() {
        return new DefaultErrorHandler(new FixedBackOff(50, FixedBackOff.UNLIMITED_ATTEMPTS));
    }
}
