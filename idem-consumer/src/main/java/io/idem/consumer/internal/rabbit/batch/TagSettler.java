package io.idem.consumer.internal.rabbit.batch;

import com.rabbitmq.client.Channel;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.rabbit.message.MessageSettler;
import java.io.IOException;

/**
 * Settles one message of a batch, and no other with it. {@code nack} defers and {@code reject} reports a failure:
 * RabbitMQ counts only the second from 4.3 on.
 */
record TagSettler(Channel channel, long tag) implements MessageSettler {

    @Override
    public void finished() throws IOException {
        acknowledge();
    }

    @Override
    public void acknowledge() throws IOException {
        channel.basicAck(tag, false);
    }

    @Override
    public void defer(DeliveryDecision.Defer decision) throws IOException {
        channel.basicNack(tag, false, true);
    }

    @Override
    public void reject(DeliveryDecision.DeadLetter decision) throws IOException {
        channel.basicReject(tag, false);
    }

    /** Settles after the listener failed. */
    void failed(FailedBatchPolicy.Disposition disposition) throws IOException {
        switch (disposition) {
            case ACKNOWLEDGE -> acknowledge();
            case REQUEUE -> channel.basicReject(tag, true);
            case REJECT -> channel.basicReject(tag, false);
        }
    }
}
