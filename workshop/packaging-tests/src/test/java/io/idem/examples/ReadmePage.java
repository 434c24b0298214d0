package io.idem.examples;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Idempotent;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.kafka.publish.PropagatingKafkaTemplate;
import io.idem.examples.Shop.Payment;
import io.idem.examples.Shop.PaymentRequest;
import io.idem.examples.Shop.PaymentRequested;
import io.idem.examples.Shop.PaymentSettled;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;

/** README.md. */
class ReadmePage {

    interface Ledger {

        void write(IdempotencyKey key, PaymentRequested payment);
    }

    /** Nobody need wait for the future: the template holds COMPLETED back until Kafka has confirmed. */
    @SuppressWarnings("FutureReturnValueIgnored")
    static class Listener {

        private final Ledger ledger;
        private final PropagatingKafkaTemplate<String, PaymentSettled> kafka;

        Listener(Ledger ledger, PropagatingKafkaTemplate<String, PaymentSettled> kafka) {
            this.ledger = ledger;
            this.kafka = kafka;
        }

        @RabbitListener(queues = "payments")
        @IdempotentListener(scope = "payments", inbox = true)
        void requested(PaymentRequested payment) {
            IdempotencyContext attempt = IdempotencyContext.current().orElseThrow(); // its key, fence and attempt
            ledger.write(attempt.key(), payment); // in the inbox's transaction: once
            kafka.send("payment.settled", settled(payment)); // carries the key on, confirmed before COMPLETED
        }

        private static PaymentSettled settled(PaymentRequested payment) {
            return new PaymentSettled(payment.account());
        }
    }

    static class Endpoint {

        @PostMapping("/v1/payments")
        @Idempotent
        ResponseEntity<Payment> pay(@RequestBody PaymentRequest request) {
            return Shop.accepted(request);
        }
    }
}
