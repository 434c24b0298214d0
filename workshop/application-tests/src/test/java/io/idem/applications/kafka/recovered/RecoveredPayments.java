package io.idem.applications.kafka.recovered;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.stereotype.Component;
import org.springframework.util.backoff.FixedBackOff;

/** An application with a recoverer that keeps failed records in a table. */
@SpringBootApplication
public class RecoveredPayments {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @KafkaListener(topics = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }

    @Bean
    DefaultErrorHandler errorHandler(Ledger ledger) {
        return new DefaultErrorHandler(
                (record, failure) -> ledger.setAside(String.valueOf(record.value())), new FixedBackOff(0, 0));
    }
}
