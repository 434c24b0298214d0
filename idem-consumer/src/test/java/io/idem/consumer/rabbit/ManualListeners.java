package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static io.idem.consumer.contract.ConsumerApplication.RECEIPTS;

import com.rabbitmq.client.Channel;
import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.ConsumerAdapterContract.HopelessException;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.contract.Resettable;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.transaction.annotation.Transactional;

/** Listeners that acknowledge by themselves, and too early: before their transaction commits. */
class ManualListeners implements Resettable {

    private final ListenerScript script;

    ManualListeners(ListenerScript script) {
        this.script = script;
    }

    @RabbitListener(queues = "${test.name}.payments")
    @IdempotentListener(scope = PAYMENTS, rejectOn = HopelessException.class)
    @Transactional
    void pay(String body, IdempotencyContext context, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag)
            throws Exception {
        channel.basicAck(tag, false);
        script.run(PAYMENTS, body, context);
    }

    @RabbitListener(queues = "${test.name}.receipts")
    @IdempotentListener(scope = RECEIPTS, rejectOn = HopelessException.class)
    @Transactional
    void receipt(String body, IdempotencyContext context, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag)
            throws Exception {
        channel.basicAck(tag, false);
        script.run(RECEIPTS, body, context);
    }
}
