package io.idem.applications.kafka.lazyretrytopics;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.kafka.annotation.BackOff;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.stereotype.Component;

/** An application with retry topics of a bean that is created after the start. */
@SpringBootApplication
public class LazyRetryTopics {

    @Component
    @Lazy
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

    /** Gets the listener after the application has started. */
    @Bean
    ApplicationRunner later(ObjectProvider<Payments> payments) {
        return arguments -> payments.getObject();
    }
}
