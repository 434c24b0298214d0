package io.idem.demo.payments;

import io.idem.IdempotencyContext;
import io.idem.consumer.kafka.publish.PropagatingKafkaTemplate;
import io.idem.demo.ledger.Ledger;
import io.idem.demo.ledger.LedgerEntry;
import io.idem.demo.messaging.Topics;
import io.idem.demo.provider.PaymentProvider;
import org.springframework.stereotype.Component;

/** The work of a payment: charge the account, write the ledger, publish an event. Knows nothing of duplicates. */
@Component
class Payments {

    private final PaymentProvider provider;
    private final Ledger ledger;
    private final PropagatingKafkaTemplate<String, Object> kafka;

    Payments(PaymentProvider provider, Ledger ledger, PropagatingKafkaTemplate<String, Object> kafka) {
        this.provider = provider;
        this.ledger = ledger;
        this.kafka = kafka;
    }

    void take(PaymentRequested payment) {
        IdempotencyContext attempt = IdempotencyContext.current().orElseThrow();
        String paymentId = attempt.key().id();
        String reference = provider.charge(attempt.key(), payment.account(), payment.amount(), payment.currency());
        ledger.write(
                LedgerEntry.of("payment", attempt, payment.account(), payment.amount(), payment.currency(), reference));
        // The future needs no caller that waits: the template holds COMPLETED back until Kafka has confirmed.
        var unused = kafka.send(
                Topics.PAYMENT_SETTLED,
                paymentId,
                new PaymentSettled(paymentId, payment.account(), payment.amount(), payment.currency()));
    }
}
