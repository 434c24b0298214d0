package io.idem.applications.kafka.fanout;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;

/** An application that makes three records of one, each with the headers of that one. */
@SpringBootApplication
public class FannedOut {

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
            for (String item : List.of("x", "y", "z")) {
                String body = item + " of " + record.value();
                var unused = template.send(
                        new ProducerRecord<>(record.topic() + "-events", null, body, body, record.headers()));
            }
            ledger.pay(record.value());
        }

        @KafkaListener(topics = "${shop.queue}-events")
        @IdempotentListener(scope = "items")
        void item(String item) {
            ledger.pay(item);
        }
    }
}
