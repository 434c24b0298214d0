package io.idem.applications.kafka.listenererrorhandler;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.KafkaListenerErrorHandler;
import org.springframework.stereotype.Component;

/** An application with an error handler of the listener that handles failures itself. */
@SpringBootApplication
public class ExcusedPayments {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @KafkaListener(topics = "${shop.queue}", errorHandler = "excuses")
        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }

    @Bean
    KafkaListenerErrorHandler excuses(Ledger ledger) {
        return (message, failure) -> {
            ledger.setAside(String.valueOf(message.getPayload()));
            return "";
        };
    }
}
