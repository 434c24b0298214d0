package io.idem.consumer.internal.rabbit.container;

import io.idem.consumer.internal.rabbit.message.DeferralErrorHandler;
import io.idem.consumer.internal.rabbit.message.RabbitFailureObserver;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Objects;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbitmq.client.listener.RabbitAmqpListenerContainer;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ErrorHandler;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the containers of RabbitMQ's AMQP 1.0 client that can be hooked: those that take single messages and settle
 * them.
 */
final class AmqpOneContainers {

    static final String REMEDY =
            "Set autoSettle to true, remove ackMode from @RabbitListener, and do the work before the"
                    + " method returns, or use a SimpleRabbitListenerContainerFactory";

    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.amqp.rabbitmq.client.listener.RabbitAmqpListenerContainer",
            AmqpOneContainers.class.getClassLoader());

    private AmqpOneContainers() {}

    static boolean include(MessageListenerContainer container) {
        return PRESENT && container instanceof RabbitAmqpListenerContainer;
    }

    /** Attaches a hook when the container exists: until then an endpoint does not know whether it takes lists. */
    static void attach(AmqpOneHook hook, IdempotentRabbitEndpoint endpoint, Object created) {
        RabbitAmqpListenerContainer container = (RabbitAmqpListenerContainer) created;
        check(endpoint, container);
        Advice @Nullable [] own = (Advice[]) field(container, "adviceChain");
        container.setAdviceChain(RabbitFailureObserver.chain(hook, own == null ? List.of() : List.of(own)));
        container.setErrorHandler(
                new DeferralErrorHandler((ErrorHandler) Objects.requireNonNull(field(container, "errorHandler"))));
        // A container puts its advices around the listener when it gets the listener.
        Object listener = Objects.requireNonNull(container.getMessageListener());
        Object target = AopProxyUtils.getSingletonTarget(listener);
        container.setupMessageListener((MessageListener) (target == null ? listener : target));
        hook.attach(container);
    }

    /** Reads a field: containers have no accessors for settings of their factory. */
    private static @Nullable Object field(RabbitAmqpListenerContainer container, String name) {
        Field field = Objects.requireNonNull(
                ReflectionUtils.findField(RabbitAmqpListenerContainer.class, name),
                () -> "This version of spring-rabbitmq-client is not supported: its containers have no field " + name);
        ReflectionUtils.makeAccessible(field);
        return ReflectionUtils.getField(field, container);
    }

    private static void check(IdempotentRabbitEndpoint endpoint, RabbitAmqpListenerContainer container) {
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
        if (listener instanceof MessageListener plain && plain.isAsyncReplies()) {
            throw endpoint.refused(
                    "returns an asynchronous result; an AMQP 1.0 container leaves settling to such listeners", REMEDY);
        }
    }
}
