package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static io.idem.consumer.contract.ConsumerApplication.RECEIPTS;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.ConsumerAdapterContract.HopelessException;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.contract.Resettable;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.transaction.annotation.Transactional;

/** Listeners whose container acknowledges. */
class AutoListeners implements Resettable {

    private final ListenerScript script;

    AutoListeners(ListenerScript script) {
        this.script = script;
    }

    @RabbitListener(queues = "${test.name}.payments")
    @IdempotentListener(scope = PAYMENTS, rejectOn = HopelessException.class)
    @Transactional
    void pay(String body, IdempotencyContext context) throws Exception {
        script.run(PAYMENTS, body, context);
    }

    @RabbitListener(queues = "${test.name}.receipts")
    @IdempotentListener(scope = RECEIPTS, rejectOn = HopelessException.class)
    @Transactional
    void receipt(String body, IdempotencyContext context) throws Exception {
        script.run(RECEIPTS, body, context);
    }
}
