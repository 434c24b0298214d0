package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static io.idem.consumer.contract.ConsumerApplication.RECEIPTS;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.AsyncScript;
import io.idem.consumer.contract.ConsumerAdapterContract.HopelessException;
import io.idem.consumer.contract.Resettable;
import java.util.concurrent.CompletableFuture;
import org.springframework.amqp.rabbit.annotation.RabbitListener;

/** Listeners whose work ends on another thread, after their return. */
class AsyncListeners implements Resettable {

    private final AsyncScript script;

    AsyncListeners(AsyncScript script) {
        this.script = script;
    }

    @RabbitListener(queues = "${test.name}.payments")
    @IdempotentListener(scope = PAYMENTS, rejectOn = HopelessException.class)
    CompletableFuture<Void> pay(String body, IdempotencyContext context) {
        return script.run(PAYMENTS, body, context).thenAccept(result -> {});
    }

    @RabbitListener(queues = "${test.name}.receipts")
    @IdempotentListener(scope = RECEIPTS, rejectOn = HopelessException.class)
    CompletableFuture<Void> receipt(String body, IdempotencyContext context) {
        return script.run(RECEIPTS, body, context).thenAccept(result -> {});
    }
}
