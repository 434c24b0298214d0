package io.idem.demo.comparison;

import io.idem.IdempotencyContext;
import io.idem.consumer.kafka.publish.PropagatingKafkaTemplate;
import io.idem.demo.ledger.Ledger;
import io.idem.demo.ledger.LedgerEntry;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** The work of the compared listeners: a payment without the bank, which is one row and one message. */
@Component
@Profile("comparison")
class ComparedWork {

    private static final String TOPIC = "comparison.settled";

    private final Ledger ledger;
    private final PropagatingKafkaTemplate<String, Object> kafka;

    ComparedWork(Ledger ledger, PropagatingKafkaTemplate<String, Object> kafka) {
        this.ledger = ledger;
        this.kafka = kafka;
    }

    void run() {
        IdempotencyContext attempt = IdempotencyContext.current().orElseThrow();
        ledger.write(LedgerEntry.of("comparison", attempt, "account-0000", 1, "EUR", "none"));
        var unused = kafka.send(TOPIC, attempt.key().id(), "settled");
    }
}
