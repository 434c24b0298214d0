package io.idem.consumer.kafka;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static io.idem.consumer.contract.ConsumerApplication.RECEIPTS;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.ConsumerAdapterContract.HopelessException;
import io.idem.consumer.contract.ListenerScript;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.transaction.annotation.Transactional;

/** Listeners whose container acknowledges. */
class AutoListeners {

    private final ListenerScript script;

    AutoListeners(ListenerScript script) {
        this.script = script;
    }

    @KafkaListener(
            groupId = "${test.name}.payments",
            topics = {"${test.name}.payments", "${test.name}.both"})
    @IdempotentListener(scope = PAYMENTS, rejectOn = HopelessException.class)
    @Transactional
    void pay(String body, IdempotencyContext context) throws Exception {
        script.run(PAYMENTS, body, context);
    }

    @KafkaListener(groupId = "${test.name}.receipts", topics = "${test.name}.both")
    @IdempotentListener(scope = RECEIPTS, rejectOn = HopelessException.class)
    @Transactional
    void receipt(String body, IdempotencyContext context) throws Exception {
        script.run(RECEIPTS, body, context);
    }
}
