package io.idem.applications.kafka.inherited.base;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.kafka.annotation.KafkaListener;

/** A base class for listeners in another package. */
public abstract class BasePayments {

    private final Ledger ledger;

    protected BasePayments(Ledger ledger) {
        this.ledger = ledger;
    }

    @KafkaListener(topics = "${shop.queue}")
    @IdempotentListener(scope = "payments")
    void pay(String payment) {
        ledger.pay(payment);
    }
}
