package io.idem.demo.payments;

import io.idem.IdempotencyContext;
import io.idem.consumer.kafka.publish.PropagatingKafkaTemplate;
import io.idem.demo.ledger.Ledger;
import io.idem.demo.ledger.LedgerEntry;
import io.idem.demo.messaging.Topics;
import io.idem.demo.provider.PaymentProvider;
import org.springframework.stereotype.Component;

/**
 * The two parts of a payment: charge the account, then write the ledger and publish an event. Knows nothing of
 * duplicates.
 */
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

    /** Returns the bank's reference. A later attempt remembers it and does not call the bank again. */
    String charge(PaymentRequested payment, IdempotencyContext attempt) {
        return attempt.step(
                "charge",
                String.class,
                step -> provider.charge(step.key(), payment.account(), payment.amount(), payment.currency()));
    }

    /** Writes the ledger and publishes the event, which is returned. Takes part in the caller's transaction. */
    PaymentSettled settle(PaymentRequested payment, String reference, IdempotencyContext attempt) {
        ledger.write(
                LedgerEntry.of("payment", attempt, payment.account(), payment.amount(), payment.currency(), reference));
        String paymentId = attempt.key().id();
        PaymentSettled settled = new PaymentSettled(paymentId, payment.account(), payment.amount(), payment.currency());
        // The future needs no caller that waits: the template holds COMPLETED back until Kafka has confirmed.
        var unused = kafka.send(Topics.PAYMENT_SETTLED, paymentId, settled);
        return settled;
    }
}
