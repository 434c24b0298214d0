package io.idem.consumer.internal.rabbit.message;

import io.idem.consumer.internal.delivery.DeliveryDecision;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Settler for containers that acknowledge by themselves (AUTO): a return acknowledges, an exception does not. A
 * settlement of the tag from here would make the container's own settlement close the channel. Any exception but a
 * {@link ListenerExecutionFailedException} would restart the consumer.
 *
 * <p>A deferral becomes {@code basic.nack}, which does not count towards the delivery limit of RabbitMQ 4.3
 * ({@link DeferringListener}).
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
        // The container acknowledges once this returns.
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
     * Clears the mark of a stateful retry for a message that comes again without an id: at any exception for such a
     * message the container stops its consumer for good, and a deferral is no failure.
     */
    private void stopNoConsumer() {
        message.getMessageProperties().setFinalRetryForMessageWithNoId(false);
    }

    @Override
    public void failed(Throwable failure) {
        // The exception reaches the container.
    }

    @Override
    public void refused(Throwable failure) {
        // The exception reaches the container.
    }
}
