package io.idem.applications.kafka.requeued;

import io.idem.applications.shop.CardRefusedException;
import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;

/** An application that sends a failed record back to its topic. */
@SpringBootApplication
public class RequeuedPayments {

    @Component
    static class Payments {

        private final Ledger ledger;
        private final KafkaTemplate<String, String> template;

        Payments(Ledger ledger, KafkaTemplate<String, String> template) {
            this.ledger = ledger;
            this.template = template;
        }

        @KafkaListener(topics = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        void pay(ConsumerRecord<String, String> record) {
            try {
                ledger.pay(record.value());
            } catch (CardRefusedException later) {
                var unused = template.send(
                        new ProducerRecord<>(record.topic(), null, record.key(), record.value(), record.headers()));
            }
        }
    }
}
