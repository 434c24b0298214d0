package io.idem.applications.kafka.lazyinitretrytopics;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.BackOff;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.stereotype.Component;

/** An application with retry topics and lazy initialization. */
@SpringBootApplication
public class LazilyInitialized {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RetryableTopic(attempts = "2", backOff = @BackOff(delay = 100))
        @KafkaListener(topics = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }

    /** Creates the listener at start-up, because Spring Boot gets all runners. */
    @Bean
    ApplicationRunner first(Payments payments) {
        return arguments -> {};
    }
}
