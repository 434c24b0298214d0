package io.idem.consumer.rabbit;

import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.rabbit.config.BaseRabbitListenerContainerFactory;
import org.springframework.amqp.rabbitmq.client.config.RabbitAmqpListenerContainerFactory;
import org.springframework.amqp.rabbitmq.client.listener.RabbitAmqpListenerContainer;
import org.springframework.util.ClassUtils;

/** Which containers of RabbitMQ's AMQP 1.0 client can be hooked: those that take single messages and settle them. */
final class AmqpOneContainers {

    static final String REMEDY =
            "Set autoSettle to true, remove ackMode from @RabbitListener, and do the work before the"
                    + " method returns, or use a SimpleRabbitListenerContainerFactory";

    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.amqp.rabbitmq.client.config.RabbitAmqpListenerContainerFactory",
            AmqpOneContainers.class.getClassLoader());

    private AmqpOneContainers() {}

    /** Whether a factory makes such containers. */
    static boolean areMadeBy(BaseRabbitListenerContainerFactory<?> factory) {
        return PRESENT && factory instanceof RabbitAmqpListenerContainerFactory;
    }

    /** Asked when the container exists: until then an endpoint does not know whether it takes lists. */
    static void attach(AmqpOneHook hook, IdempotentEndpoint endpoint, Object created) {
        RabbitAmqpListenerContainer container = (RabbitAmqpListenerContainer) created;
        check(endpoint, container);
        hook.attach(container);
    }

    private static void check(IdempotentEndpoint endpoint, RabbitAmqpListenerContainer container) {
        if (endpoint.isBatch()) {
            throw endpoint.refused(
                    "is a batch listener of the AMQP 1.0 client, which settles a batch as a whole",
                    "Set the factory's batchSize to 1, or use a SimpleRabbitListenerContainerFactory");
        }
        if (endpoint.queues().size() != 1) {
            throw endpoint.refused(
                    "listens to " + endpoint.queues()
                            + " through the AMQP 1.0 client, which does not tell from which queue" + " a message came",
                    "Name one queue, and write one listener for each");
        }
        AcknowledgeMode asked = endpoint.endpoint().getAckMode();
        if (asked != null && asked != AcknowledgeMode.AUTO) {
            throw endpoint.refused(
                    "is listened to by an AMQP 1.0 container with acknowledge mode " + asked
                            + ", whose settlements idem cannot hold back",
                    REMEDY);
        }
        Object listener = container.getMessageListener();
        if (listener instanceof org.springframework.amqp.core.MessageListener plain && plain.isAsyncReplies()) {
            throw endpoint.refused(
                    "returns its result later; an AMQP 1.0 container leaves settling to such listeners", REMEDY);
        }
    }
}
