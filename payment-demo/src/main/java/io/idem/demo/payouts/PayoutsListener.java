package io.idem.demo.payouts;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.demo.ledger.Ledger;
import io.idem.demo.ledger.LedgerEntry;
import io.idem.demo.messaging.Topics;
import io.idem.demo.provider.PaymentProvider;
import org.springframework.context.annotation.Profile;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** Takes payouts from Kafka. */
@Component
@Profile("payouts")
class PayoutsListener {

    private final PaymentProvider provider;
    private final Ledger ledger;

    PayoutsListener(PaymentProvider provider, Ledger ledger) {
        this.provider = provider;
        this.ledger = ledger;
    }

    @KafkaListener(topics = Topics.PAYOUTS, groupId = "payouts")
    @IdempotentListener(scope = "payouts", inbox = true)
    void requested(PayoutRequested payout, IdempotencyContext attempt) {
        String reference = provider.payOut(attempt.key().id(), payout.account(), payout.amount(), payout.currency());
        ledger.write(
                LedgerEntry.of("payout", attempt, payout.account(), payout.amount(), payout.currency(), reference));
    }
}
