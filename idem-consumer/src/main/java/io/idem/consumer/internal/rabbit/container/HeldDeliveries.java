package io.idem.consumer.internal.rabbit.container;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.call.UnhookedDeliveries;
import java.util.concurrent.CountDownLatch;
import org.springframework.amqp.ImmediateRequeueAmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.beans.factory.DisposableBean;

/**
 * Holds the thread of each delivery that a container of RabbitMQ makes without a delivery hook, so that its message
 * stays unacknowledged. Such a container cannot be stopped from here, any exception would be its failure policy's to
 * act on, and an {@link Error} ends the process by default. The threads go on when the application has stopped its
 * containers, whose channels are closed by then.
 */
public final class HeldDeliveries implements UnhookedDeliveries, DisposableBean {

    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    public boolean isContainer(Class<?> caller) {
        return MessageListenerContainer.class.isAssignableFrom(caller);
    }

    /**
     * Blocks until the application ends, also where the thread is interrupted: a stopping container interrupts before
     * it closes its channel.
     */
    @Override
    public RuntimeException refuse(ListenerConfigurationException refusal) {
        boolean interrupted = false;
        while (true) {
            try {
                released.await();
                break;
            } catch (InterruptedException stopping) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return new ImmediateRequeueAmqpException(refusal);
    }

    @Override
    public boolean isDelivered(Object argument) {
        return argument instanceof org.springframework.messaging.Message<?> converted
                ? converted.getHeaders().containsKey(AmqpHeaders.CONSUMER_QUEUE)
                : argument instanceof Message message
                        && message.getMessageProperties().getConsumerQueue() != null;
    }

    @Override
    public RuntimeException hold(ListenerConfigurationException refusal) {
        return refuse(refusal);
    }

    @Override
    public void destroy() {
        released.countDown();
    }
}
