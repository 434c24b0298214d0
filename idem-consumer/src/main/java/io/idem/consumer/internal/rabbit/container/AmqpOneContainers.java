package io.idem.consumer.internal.rabbit.container;

import io.idem.consumer.internal.rabbit.message.DeferralErrorHandler;
import io.idem.consumer.internal.rabbit.message.RabbitFailureObserver;
import io.idem.internal.method.HiddenMembers;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbitmq.client.listener.RabbitAmqpListenerContainer;
import org.springframework.amqp.rabbitmq.client.listener.RabbitAmqpMessageListener;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ErrorHandler;

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
    static void attach(IdempotentRabbitEndpoint endpoint, Object created, HookParts parts) {
        RabbitAmqpListenerContainer container = (RabbitAmqpListenerContainer) created;
        AmqpOneHook hook = new AmqpOneHook(endpoint, container, parts);
        check(endpoint, container);
        advise(container, hook);
        ContainerProof proof = new ContainerProof(endpoint, hook, parts.proof().get());
        parts.proof().get().ofContainer(endpoint.bean(), () -> {
            RabbitAmqpMessageListener called =
                    (RabbitAmqpMessageListener) Objects.requireNonNull(container.getMessageListener());
            proof.prove(
                    called,
                    (MessageListener) AopProxyUtils.getSingletonTarget(called),
                    Stream.of((Advice[]) Objects.requireNonNull(HiddenMembers.read(container, "adviceChain"))),
                    () -> {
                        called.onAmqpMessage(ContainerProof.nothing(com.rabbitmq.client.amqp.Message.class), null);
                        return null;
                    });
        });
    }

    /** Puts a hook around the listener of a container that has its listener, and keeps deferrals from its error handler. */
    static void advise(Object created, Advice hook) {
        RabbitAmqpListenerContainer container = (RabbitAmqpListenerContainer) created;
        Advice @Nullable [] own = (Advice[]) HiddenMembers.read(container, "adviceChain");
        container.setAdviceChain(RabbitFailureObserver.chain(hook, own == null ? List.of() : List.of(own)));
        container.setErrorHandler(new DeferralErrorHandler(
                (ErrorHandler) Objects.requireNonNull(HiddenMembers.read(container, "errorHandler"))));
        // A container puts its advices around the listener when it gets the listener.
        Object listener = Objects.requireNonNull(container.getMessageListener());
        Object target = AopProxyUtils.getSingletonTarget(listener);
        container.setupMessageListener((MessageListener) (target == null ? listener : target));
    }

    private static void check(IdempotentRabbitEndpoint endpoint, RabbitAmqpListenerContainer container) {
        endpoint.refuseIf(
                endpoint.isBatch(),
                "is a batch listener of the AMQP 1.0 client, which settles a batch as a whole",
                "Set the factory's batchSize to 1, or use a SimpleRabbitListenerContainerFactory");
        endpoint.refuseIf(
                endpoint.queues().size() != 1,
                "listens to " + endpoint.queues() + " through the AMQP 1.0 client, which does not tell from which queue"
                        + " a message came",
                "Name one queue, and write one listener for each");
        AcknowledgeMode asked = endpoint.endpoint().getAckMode();
        endpoint.refuseIf(
                asked != null && asked != AcknowledgeMode.AUTO,
                "is listened to by an AMQP 1.0 container with acknowledge mode " + asked
                        + ", whose settlements idem cannot hold back",
                REMEDY);
        Object listener = container.getMessageListener();
        endpoint.refuseIf(
                listener instanceof MessageListener plain && plain.isAsyncReplies(),
                "returns an asynchronous result; an AMQP 1.0 container leaves settling to such listeners",
                REMEDY);
    }
}
