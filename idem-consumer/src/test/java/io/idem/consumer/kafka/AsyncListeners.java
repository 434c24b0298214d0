package io.idem.consumer.kafka;

import static io.idem.consumer.contract.ConsumerApplication.FOR_BOTH;
import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static io.idem.consumer.contract.ConsumerApplication.RECEIPTS;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.AsyncScript;
import io.idem.consumer.contract.ConsumerAdapterContract.HopelessException;
import java.util.concurrent.CompletableFuture;
import org.springframework.kafka.annotation.KafkaListener;

/** Listeners whose work ends on another thread, after their return. */
class AsyncListeners {

    private final AsyncScript script;

    AsyncListeners(AsyncScript script) {
        this.script = script;
    }

    @KafkaListener(
            topics = {"${test.name}." + PAYMENTS, "${test.name}." + FOR_BOTH},
            groupId = "${test.name}." + PAYMENTS)
    @IdempotentListener(scope = PAYMENTS, rejectOn = HopelessException.class)
    CompletableFuture<String> pay(String body, IdempotencyContext context) {
        return script.run(PAYMENTS, body, context);
    }

    @KafkaListener(topics = "${test.name}." + FOR_BOTH, groupId = "${test.name}." + RECEIPTS)
    @IdempotentListener(scope = RECEIPTS, rejectOn = HopelessException.class)
    CompletableFuture<String> receipt(String body, IdempotencyContext context) {
        return script.run(RECEIPTS, body, context);
    }
}
