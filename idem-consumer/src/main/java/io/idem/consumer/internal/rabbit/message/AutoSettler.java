package io.idem.consumer.internal.rabbit.message;

import io.idem.consumer.internal.delivery.DeliveryDecision;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * For containers that acknowledge by themselves (AUTO): returning acknowledges, throwing does not. Settling the tag here too
 * would make the container's own settlement close the channel. Anything but a {@link ListenerExecutionFailedException}
 * would restart the consumer.
 *
 * <p>A deferral becomes {@code basic.nack}, which does not count towards the delivery limit of RabbitMQ 4.3 ({@link DeferringListener}).
 */
public record AutoSettler(MethodInvocation invocation, Message message) implements Settler {

    @Override
    public MethodInvocation attempt() {
        return ((ProxyMethodInvocation) invocation).invocableClone();
    }

    @Override
    public void finished() {
        // The container acknowledges once this returns.
    }

    @Override
    public void acknowledge() {
        // The same.
    }

    @Override
    public void defer(DeliveryDecision.Defer decision) {
        stopNoConsumer();
        throw new DeferredDeliveryException(decision.scope(), decision.why(), message);
    }

    @Override
    public void reject(DeliveryDecision.DeadLetter decision) {
        stopNoConsumer();
        throw new RejectedDeliveryException(decision, message);
    }

    /**
     * A stateful retry marks a message that comes again without an id, and at any exception for such a message the container
     * stops its consumer for good. What goes out here is no failure.
     */
    private void stopNoConsumer() {
        message.getMessageProperties().setFinalRetryForMessageWithNoId(false);
    }

    @Override
    public void failed(Throwable failure) {
        // The container sees it.
    }

    @Override
    public void refused(Throwable failure) {
        // The container sees it.
    }
}
