package io.idem.consumer.internal.rabbit.message;

import com.rabbitmq.client.Channel;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.io.IOException;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.amqp.core.Message;

/**
 * Settler for listeners whose work ends after their return. Their container leaves the message to its listener adapter,
 * which settles when the work has ended; it does not settle after a method that throws instead of returning, so that is
 * done here.
 */
public final class AsyncSettler extends ManualSettler {

    private final Delivery delivery;

    /**
     * Makes a settler.
     *
     * @param requeueRejected whether failed messages come again if their failure does not say
     */
    public AsyncSettler(
            MethodInvocation invocation, Channel channel, Message message, Delivery delivery, boolean requeueRejected) {
        super(invocation, channel, new HeldRabbitAck(channel, tag(message), delivery), requeueRejected, false);
        this.delivery = delivery;
    }

    /**
     * Acknowledges if an advice swallowed the method's failure, since the adapter does not. Work that goes on is
     * settled at its end.
     */
    @Override
    public void finished() throws IOException {
        DeliveryDecision decision = delivery.decision().orElse(null);
        if (decision instanceof DeliveryDecision.Failed) {
            acknowledge();
        } else if (!(decision instanceof DeliveryDecision.Handed)) {
            super.finished();
        }
    }

    @Override
    public void failed(Throwable failure) throws IOException {
        refused(failure);
    }
}
