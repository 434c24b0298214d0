package io.idem.applications.rabbit.inherited.base;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;

/** A base class for listeners in another package. */
public abstract class BasePayments {

    private final Ledger ledger;

    protected BasePayments(Ledger ledger) {
        this.ledger = ledger;
    }

    @RabbitListener(queues = "${shop.queue}")
    @IdempotentListener(scope = "payments")
    void pay(String payment) {
        ledger.pay(payment);
    }
}
