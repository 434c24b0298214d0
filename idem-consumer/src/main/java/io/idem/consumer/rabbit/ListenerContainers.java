package io.idem.consumer.rabbit;

import io.idem.consumer.IdempotentListener;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.rabbit.config.BaseRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.util.ObjectUtils;

/**
 * Gives every container that a factory creates for an {@link IdempotentListener} a delivery hook of its own, in front of the
 * application's advice chain, which stays as it is for all others.
 *
 * <p>Wrapped around the creation of containers, since a hook must know its container: the acknowledgement mode may be the
 * listener's own, and a wait must end when this container stops.
 */
final class ListenerContainers implements MethodInterceptor {

    private final BaseRabbitListenerContainerFactory<?> factory;
    private final HookParts parts;
    private final Lock lock = new ReentrantLock();

    ListenerContainers(BaseRabbitListenerContainerFactory<?> factory, HookParts parts) {
        this.factory = factory;
        this.parts = parts;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object[] arguments = invocation.getArguments();
        boolean creates = invocation.getMethod().getName().equals("createListenerContainer");
        if (creates && arguments.length == 1 && arguments[0] instanceof RabbitListenerEndpoint endpoint) {
            Optional<IdempotentEndpoint> idempotent = IdempotentEndpoint.of(endpoint);
            return idempotent.isPresent() ? create(idempotent.get(), invocation) : invocation.proceed();
        }
        return invocation.proceed();
    }

    private @Nullable Object create(IdempotentEndpoint endpoint, MethodInvocation creation) throws Throwable {
        if (AmqpOneContainers.areMadeBy(factory)) {
            return createForAmqpOne(endpoint, creation);
        }
        RabbitDeliveryHook hook = new RabbitDeliveryHook(
                parts.listeners().get(), parts.deadLetters().get(), endpoint.payloadType());
        Object container = createWith(hook, creation);
        if (!(container instanceof AbstractMessageListenerContainer supported)) {
            throw endpoint.refused(
                    "is listened to by a container that cannot give a message back to be redelivered later, such as one"
                            + " for streams",
                    "Use a SimpleRabbitListenerContainerFactory or a DirectRabbitListenerContainerFactory");
        }
        check(endpoint, supported);
        // Messages of a producer's batch share their headers, so also their key; the hook refuses them as a whole.
        supported.setDeBatchingEnabled(false);
        hook.attach(supported);
        hook.waitBy(parts.deferrals()
                .get()
                .of(() -> endpoint.scopes(parts.listeners().get()), supported));
        if (endpoint.isBatch()) {
            takeBatches(hook, endpoint, supported);
        }
        return container;
    }

    private void takeBatches(
            RabbitDeliveryHook hook, IdempotentEndpoint endpoint, AbstractMessageListenerContainer container) {
        Advice[] own = factory.getAdviceChain();
        SwallowedBatches swallowed = SwallowedBatches.of(
                own == null ? new Advice[0] : own, parts.recoverers().get());
        SimpleMessageListenerContainer simple = new BatchCheck(endpoint, container, swallowed).check();
        if (swallowed.fate() != FailedBatchPolicy.Fate.ACKNOWLEDGE) {
            endpoint.warn(
                    "takes batches under a retry without a bean of type MessageBatchRecoverer: a batch whose retries are"
                            + " used up is settled by idem (" + swallowed.fate()
                            + "), since spring-rabbit would drop it");
        }
        hook.takeBatches(
                endpoint.batchListener(parts.batches().get()),
                FailedBatchPolicy.of(simple, swallowed.fate()),
                endpoint.elementType());
    }

    private @Nullable Object createForAmqpOne(IdempotentEndpoint endpoint, MethodInvocation creation) throws Throwable {
        AmqpOneHook hook = new AmqpOneHook(endpoint, parts);
        Object container = createWith(hook, creation);
        AmqpOneContainers.attach(hook, endpoint, Objects.requireNonNull(container));
        return container;
    }

    /** The factory hands its chain over while it creates a container; only this container gets the longer one. */
    private @Nullable Object createWith(MethodInterceptor hook, MethodInvocation creation) throws Throwable {
        lock.lock();
        Advice[] own = factory.getAdviceChain();
        try {
            Advice[] chain = own == null ? new Advice[0] : own;
            factory.setAdviceChain(ObjectUtils.addObjectToArray(chain, hook, 0));
            return creation.proceed();
        } finally {
            factory.setAdviceChain(own);
            lock.unlock();
        }
    }

    private static void check(IdempotentEndpoint endpoint, AbstractMessageListenerContainer container) {
        if (container.getAcknowledgeMode() == AcknowledgeMode.NONE) {
            throw endpoint.refused(
                    "is listened to with acknowledge mode NONE, under which a failed message is gone",
                    "Use AUTO or MANUAL");
        }
        new TransactionCheck(endpoint, container).check();
    }
}
