package io.idem.examples;

import io.idem.IdempotencyContext;
import io.idem.Idempotent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.examples.Shop.Order;
import io.idem.examples.Shop.Payment;
import io.idem.examples.Shop.PaymentProvider;
import io.idem.examples.Shop.Receipt;
import java.util.concurrent.CompletionStage;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;

/** llms.txt, and docs/quickstart.md: for coding assistants. */
class QuickstartPage {

    private final RabbitTemplate rabbit;
    private final PaymentProvider provider;

    QuickstartPage(RabbitTemplate rabbit, PaymentProvider provider) {
        this.rabbit = rabbit;
        this.provider = provider;
    }

    void place(Order order) {
        rabbit.convertAndSend("orders", "placed", order, message -> {
            message.getMessageProperties().setHeader(IdempotencyHeaders.KEY, order.id());
            return message;
        });
    }

    @KafkaListener(topics = "payments")
    @IdempotentListener(scope = "billing", rejectOn = CardRefusedException.class)
    CompletionStage<Receipt> bill(Order order, IdempotencyContext attempt) {
        return provider.charge(order, attempt.key().value());
    }

    @PostMapping("/payments")
    @Idempotent
    String pay(@RequestBody String amount) {
        return provider.charge(new Payment("account-1", Integer.parseInt(amount)))
                .text();
    }

    static class CardRefusedException extends RuntimeException {

        private static final long serialVersionUID = 1;
    }
}
