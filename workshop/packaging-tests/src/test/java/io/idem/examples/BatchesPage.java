package io.idem.examples;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.kafka.publish.PropagatingKafkaTemplate;
import io.idem.examples.Shop.Payment;
import io.idem.examples.Shop.PaymentProvider;
import io.idem.examples.Shop.Receipt;
import java.util.List;
import org.springframework.kafka.annotation.KafkaListener;

/** docs/batches.md. */
class BatchesPage {

    static class Plain {

        private final PaymentProvider provider;

        Plain(PaymentProvider provider) {
            this.provider = provider;
        }

        @KafkaListener(topics = "payments", batch = "true")
        @IdempotentListener(scope = "payments")
        void pay(List<Payment> payments) {
            payments.forEach(provider::charge);
        }
    }

    /** Nobody need wait for the future: the template holds COMPLETED back until Kafka has confirmed. */
    @SuppressWarnings("FutureReturnValueIgnored")
    static class Publishing {

        private final PaymentProvider provider;
        private final PropagatingKafkaTemplate<String, Receipt> template;

        Publishing(PaymentProvider provider, PropagatingKafkaTemplate<String, Receipt> template) {
            this.provider = provider;
            this.template = template;
        }

        void pay(List<Payment> payments, List<IdempotencyContext> contexts) throws Exception {
            for (int i = 0; i < payments.size(); i++) {
                Receipt receipt = provider.charge(payments.get(i));
                contexts.get(i).call(() -> template.send("receipts", receipt));
            }
        }
    }
}
