package io.idem.workshop.simulation.world;

import com.rabbitmq.client.Channel;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.rabbit.container.SimulatedHooks;
import io.idem.consumer.internal.rabbit.message.DeferredDeliveryException;
import io.idem.workshop.simulation.kernel.Crash;
import java.lang.reflect.Proxy;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.listener.ContainerUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.util.ClassUtils;

/**
 * A listener container of a queue. Calls the listener through idem's own delivery hook, and settles messages like
 * Spring's containers that acknowledge themselves.
 */
final class Delivering {

    private static final Log LOG = LogFactory.getLog(Delivering.class);

    private final World world;
    private final Handler handler;
    private final Channel channel;

    Delivering(World world, IdempotentListeners listeners, Payments payments, DeadLetterBox deadLetters) {
        this.world = world;
        ProxyFactory hooked = new ProxyFactory((Handler) (to, data) -> payments.pay((Message) data));
        hooked.addAdvice(SimulatedHooks.hook(
                listeners,
                payments,
                ClassUtils.getMethod(Payments.class, "pay", Message.class),
                world.setup().publishesDeadLetters() ? deadLetters::publish : null));
        this.handler = (Handler) hooked.getProxy(Delivering.class.getClassLoader());
        this.channel = (Channel) Proxy.newProxyInstance(
                Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    void deliver(QueueConnection.Delivered delivered) {
        if (world.setup().flaw().acknowledgesFirst()) {
            delivered.acknowledge();
        }
        try {
            var unused = handler.onMessage(channel, message(delivered));
            delivered.acknowledge();
        } catch (Crash crash) {
            throw crash;
        } catch (Throwable failure) {
            failed(delivered, failure);
        }
    }

    private void failed(QueueConnection.Delivered delivered, Throwable failure) {
        if (world.setup().flaw().acknowledgesBusy() && failure instanceof DeferredDeliveryException) {
            delivered.acknowledge();
        } else if (ContainerUtils.shouldRequeue(true, failure, LOG)) {
            delivered.handBack();
        } else {
            delivered.giveUp();
        }
    }

    private static Message message(QueueConnection.Delivered delivered) {
        QueueMessage message = delivered.message();
        MessageProperties properties = new MessageProperties();
        properties.setDeliveryTag(delivered.tag());
        properties.setConsumerQueue("payments");
        properties.setRedelivered(message.redelivered());
        properties.setHeader(IdempotencyHeaders.KEY, message.key());
        if (message.returns() > 0) {
            properties.setHeader("x-delivery-count", (long) message.returns());
        }
        return new Message(new byte[0], properties);
    }

    /** The method that Spring's containers advise. */
    @FunctionalInterface
    public interface Handler {

        /** Handles a message. */
        @Nullable Object onMessage(Channel channel, Object data) throws Exception;
    }
}
