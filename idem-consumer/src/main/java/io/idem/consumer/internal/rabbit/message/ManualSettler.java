package io.idem.consumer.internal.rabbit.message;

import com.rabbitmq.client.Channel;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.io.IOException;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.listener.ContainerUtils;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Settler for listeners that acknowledge by themselves (MANUAL). They get a channel that holds their settlement back
 * until the work is recorded; a message that did not run is settled here. {@code nack} defers and {@code reject}
 * reports a failure: RabbitMQ counts only the second from 4.3 on.
 */
public sealed class ManualSettler implements Settler permits AsyncSettler {

    private static final Log LOG = LogFactory.getLog(ContainerUtils.class);

    private final MethodInvocation invocation;
    private final Channel channel;
    private final long tag;
    private final boolean requeueRejected;
    private final HeldRabbitAck held;
    private final Channel heldChannel;
    private final boolean acknowledgesImmediately;

    /**
     * Makes a settler.
     *
     * @param held holds the listener's settlement
     * @param requeueRejected whether failed messages come again if their failure does not say
     * @param acknowledgesImmediately whether failures may ask for an acknowledgement
     */
    ManualSettler(
            MethodInvocation invocation,
            Channel channel,
            HeldRabbitAck held,
            boolean requeueRejected,
            boolean acknowledgesImmediately) {
        this.acknowledgesImmediately = acknowledgesImmediately;
        this.requeueRejected = requeueRejected;
        this.invocation = invocation;
        this.channel = channel;
        this.tag = held.tag();
        this.held = held;
        this.heldChannel = HeldRabbitAck.channel(held);
    }

    /**
     * Makes a settler for a listener that settles.
     *
     * @param channels of its container
     * @param acknowledgesImmediately whether its failures may ask for an acknowledgement
     */
    public static ManualSettler ofListener(
            MethodInvocation invocation,
            Channel channel,
            Message message,
            Delivery delivery,
            ManualChannels channels,
            boolean acknowledgesImmediately) {
        HeldRabbitAck held = new HeldRabbitAck(channel, tag(message), delivery, channels.of(channel));
        delivery.settledBy(held);
        return new ManualSettler(invocation, channel, held, true, acknowledgesImmediately);
    }

    static long tag(Message message) {
        return message.getMessageProperties().getDeliveryTag();
    }

    @Override
    public MethodInvocation attempt() {
        held.drop();
        Object[] arguments = invocation.getArguments().clone();
        arguments[0] = heldChannel;
        return ((ProxyMethodInvocation) invocation).invocableClone(arguments);
    }

    @Override
    public void finished() throws IOException {
        held.release();
    }

    @Override
    public void handOver() throws IOException {
        held.handOver();
    }

    @Override
    public void acknowledge() throws IOException {
        settle(() -> channel.basicAck(tag, false));
    }

    @Override
    public void defer(DeliveryDecision.Defer decision) throws IOException {
        settle(() -> channel.basicNack(tag, false, true));
    }

    @Override
    public void reject(DeliveryDecision.DeadLetter decision) throws IOException {
        settle(() -> channel.basicReject(tag, false));
    }

    /**
     * Leaves a failed message to its listener, as the container does. An acknowledgement given before the failure is
     * taken back, which only a rejection can do.
     */
    @Override
    public void failed(Throwable failure) throws IOException {
        if (held.isAcknowledgement() || (acknowledgesImmediately && ContainerUtils.isImmediateAcknowledge(failure))) {
            refused(failure);
        } else {
            held.release();
        }
    }

    /**
     * Rejects for {@code AmqpRejectAndDontRequeueException(rejectManual)}, as the container does. A failure that asks
     * for an acknowledgement means that a recoverer has taken the message over: a stateful retry throws then, and would
     * recover the message again if it came again.
     */
    @Override
    public void refused(Throwable failure) throws IOException {
        settle(() -> {
            if (ContainerUtils.isImmediateAcknowledge(failure)) {
                channel.basicAck(tag, false);
            } else if (!ContainerUtils.isRejectManual(failure)) {
                channel.basicReject(tag, ContainerUtils.shouldRequeue(requeueRejected, failure, LOG));
            }
        });
    }

    private void settle(Sending sending) throws IOException {
        held.close();
        try {
            sending.send();
        } finally {
            held.settled();
        }
    }

    /** Sends a settlement to the broker. */
    @FunctionalInterface
    private interface Sending {

        void send() throws IOException;
    }
}
