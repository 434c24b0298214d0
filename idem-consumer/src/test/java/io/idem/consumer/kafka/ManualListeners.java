package io.idem.consumer.kafka;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static io.idem.consumer.contract.ConsumerApplication.RECEIPTS;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.ConsumerAdapterContract.HopelessException;
import io.idem.consumer.contract.ListenerScript;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.transaction.annotation.Transactional;

/** Listeners that acknowledge by themselves, and too early: before their transaction commits. */
class ManualListeners {

    private final ListenerScript script;

    ManualListeners(ListenerScript script) {
        this.script = script;
    }

    @KafkaListener(
            groupId = "${test.name}.payments",
            topics = {"${test.name}.payments", "${test.name}.both"})
    @IdempotentListener(scope = PAYMENTS, rejectOn = HopelessException.class)
    @Transactional
    void pay(String body, IdempotencyContext context, Acknowledgment acknowledgment) throws Exception {
        acknowledgment.acknowledge();
        script.run(PAYMENTS, body, context);
    }

    @KafkaListener(groupId = "${test.name}.receipts", topics = "${test.name}.both")
    @IdempotentListener(scope = RECEIPTS, rejectOn = HopelessException.class)
    @Transactional
    void receipt(String body, IdempotencyContext context, Acknowledgment acknowledgment) throws Exception {
        acknowledgment.acknowledge();
        script.run(RECEIPTS, body, context);
    }
}
