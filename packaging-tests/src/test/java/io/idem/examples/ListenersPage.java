package io.idem.examples;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.examples.Shop.Payment;
import io.idem.examples.Shop.PaymentProvider;
import io.idem.examples.Shop.Receipt;
import java.util.concurrent.CompletableFuture;
import org.springframework.amqp.rabbit.annotation.RabbitListener;

/** docs/listeners.md, docs/inbox.md and docs/async-listeners.md. */
class ListenersPage {

    static class Plain {

        private final PaymentProvider provider;

        Plain(PaymentProvider provider) {
            this.provider = provider;
        }

        @RabbitListener(queues = "payments") // or @KafkaListener(topics = "payments")
        @IdempotentListener(scope = "payments")
        void pay(Payment payment) {
            provider.charge(payment);
        }
    }

    static class WithInbox {

        private final PaymentProvider provider;

        WithInbox(PaymentProvider provider) {
            this.provider = provider;
        }

        @IdempotentListener(scope = "payments", inbox = true)
        void pay(Payment payment) {
            provider.charge(payment);
        }
    }

    static class Late {

        private final PaymentProvider provider;

        Late(PaymentProvider provider) {
            this.provider = provider;
        }

        @RabbitListener(queues = "payments") // or @KafkaListener(topics = "payments")
        @IdempotentListener(scope = "payments")
        CompletableFuture<Receipt> pay(Payment payment, IdempotencyContext context) {
            return CompletableFuture.supplyAsync(() -> provider.charge(payment));
        }
    }
}
