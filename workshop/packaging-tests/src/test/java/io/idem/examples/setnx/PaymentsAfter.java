package io.idem.examples.setnx;

import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.stereotype.Component;

@Component
class PaymentsAfter {

    private final Ledger ledger;

    PaymentsAfter(Ledger ledger) {
        this.ledger = ledger;
    }

    @RabbitListener(queues = "payments")
    @IdempotentListener(scope = "payments", key = "#payment.id()", inbox = true)
    void pay(Payment payment) {
        ledger.book(payment);
    }
}
