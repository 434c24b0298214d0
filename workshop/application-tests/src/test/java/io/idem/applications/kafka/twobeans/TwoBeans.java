package io.idem.applications.kafka.twobeans;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;

/** An application with two beans of one class, each with its own scope. */
@SpringBootApplication
public class TwoBeans {

    @Bean
    Payments payments(Ledger ledger, @Value("${shop.queue}") String topic) {
        return new Payments(ledger, "payments", topic);
    }

    @Bean
    Payments refunds(Ledger ledger, @Value("${shop.queue}-events") String topic) {
        return new Payments(ledger, "refunds", topic);
    }

    static class Payments {

        private final Ledger ledger;
        private final String scope;
        private final String topic;

        Payments(Ledger ledger, String scope, String topic) {
            this.ledger = ledger;
            this.scope = scope;
            this.topic = topic;
        }

        public String getScope() {
            return scope;
        }

        public String getTopic() {
            return topic;
        }

        @KafkaListener(topics = "#{__listener.topic}")
        @IdempotentListener(scope = "#{__listener.scope}")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }
}
