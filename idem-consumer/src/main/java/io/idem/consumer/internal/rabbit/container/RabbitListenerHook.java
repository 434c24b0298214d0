package io.idem.consumer.internal.rabbit.container;

import com.rabbitmq.client.Channel;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.batch.BatchListener;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.InPlaceWait;
import io.idem.consumer.internal.delivery.ListenerStops;
import io.idem.consumer.internal.delivery.Probe;
import io.idem.consumer.internal.rabbit.batch.BatchDelivery;
import io.idem.consumer.internal.rabbit.batch.BatchParts;
import io.idem.consumer.internal.rabbit.batch.FailedBatchPolicy;
import io.idem.consumer.internal.rabbit.defer.DelayedMessage;
import io.idem.consumer.internal.rabbit.defer.WaitLimits;
import io.idem.consumer.internal.rabbit.message.AsyncSettler;
import io.idem.consumer.internal.rabbit.message.AutoSettler;
import io.idem.consumer.internal.rabbit.message.CallWait;
import io.idem.consumer.internal.rabbit.message.DeadLetters;
import io.idem.consumer.internal.rabbit.message.DeferredDeliveryException;
import io.idem.consumer.internal.rabbit.message.DeliveryAttempts;
import io.idem.consumer.internal.rabbit.message.HookedContainer;
import io.idem.consumer.internal.rabbit.message.ManualChannels;
import io.idem.consumer.internal.rabbit.message.ManualSettler;
import io.idem.consumer.internal.rabbit.message.RabbitAsyncSettlement;
import io.idem.consumer.internal.rabbit.message.RabbitDecisionSettler;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import io.idem.consumer.internal.rabbit.message.Settler;
import io.idem.consumer.internal.rabbit.message.SynchronizedTransaction;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * Settles the deliveries of one container by the deciding interceptor's decision. The outermost advice of the
 * container, so that no retry and no recoverer sees a deferral. Thread-safe; waits on the delivering thread.
 *
 * <p>This class only chooses the way of a delivery: {@link DeliveryAttempts} hands it to the listener, a
 * {@link Settler} knows how the container's mode settles, and {@link RabbitDecisionSettler} knows which settlement each
 * decision needs.
 */
final class RabbitListenerHook implements MethodInterceptor {

    private final IdempotentRabbitEndpoint endpoint;
    private final RabbitDecisionSettler decisionSettler;
    private final Optional<Type> payloadType;
    private final HookedContainer container;
    private final ManualChannels manualChannels = new ManualChannels();
    private final WaitLimits limits;
    private final String tenant;
    private @Nullable BatchParts batches;

    /**
     * Makes the hook of a container, before it starts.
     *
     * @param tenant of messages that name none
     */
    RabbitListenerHook(
            IdempotentRabbitEndpoint endpoint,
            AbstractMessageListenerContainer container,
            WaitLimits limits,
            DeadLetters deadLetters,
            String tenant) {
        this.container = new HookedContainer(container);
        this.tenant = tenant;
        this.endpoint = endpoint;
        this.limits = limits;
        this.payloadType = endpoint.payloadType();
        this.decisionSettler =
                new RabbitDecisionSettler(limits.listeners().runtime().events(), deadLetters);
    }

    /**
     * Prepares the hook for a container that delivers single messages: no error handler sees a deferral, no delivery
     * limit counts it.
     */
    void takeSingleMessages() {
        container.keepDeferralsFromErrorHandler();
        container.keepDeferralsUncounted();
    }

    /**
     * Prepares the hook for a container that delivers batches, before the container starts.
     *
     * @param policy for batches that fail
     * @param byHand whether its listener acknowledges
     */
    void takeBatches(BatchListener listener, FailedBatchPolicy policy, Optional<Type> elementType, boolean byHand) {
        batches = new BatchParts(
                listener,
                decisionSettler,
                limits,
                policy,
                elementType,
                byHand ? manualChannels : null,
                container::isStopping,
                tenant,
                this::stop);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object[] arguments = invocation.getArguments();
        Channel channel = arguments.length == 2 && arguments[0] instanceof Channel given ? given : null;
        if (Probe.endsAt(channel == null ? invocation : this)) {
            return null;
        }
        // Containers of other kinds call more methods of their listener, before they can be refused.
        if (channel == null) {
            return invocation.proceed();
        }
        return new CallWait(limits::longest, container::isStopping, false).during(() -> invoke(invocation, channel));
    }

    private @Nullable Object invoke(MethodInvocation invocation, Channel channel) throws Throwable {
        if (batches != null && invocation.getArguments()[1] instanceof List<?> messages) {
            new BatchDelivery(batches, invocation, channel)
                    .deliver(messages.stream().map(Message.class::cast).toList());
            return null;
        }
        container.keepDeferralsFromErrorHandler();
        container.deferred(false);
        try {
            deliver(invocation, channel);
            return null;
        } catch (DeferredDeliveryException deferral) {
            container.deferred(true);
            throw deferral;
        }
    }

    private void deliver(MethodInvocation invocation, Channel channel) throws Throwable {
        Message message = single(invocation.getArguments()[1]);
        DelayedMessage.restore(message);
        payloadType.ifPresent(message.getMessageProperties()::setInferredArgumentType);
        Delivery delivery = new Delivery(new RabbitDelivery(message, container::isStopping, tenant));
        Settler settler = settler(invocation, channel, message, delivery);
        delivery.settleAsyncBy(new RabbitAsyncSettlement(
                delivery,
                settler,
                decision -> settle(delivery, settler, decision, Duration.ZERO),
                new InPlaceWait(limits.longest(), container::isStopping)));
        if (container.isTransactional()) {
            delivery.within(SynchronizedTransaction.join(message));
        }
        if (container.isStopped(stops())) {
            handBack(settler);
            return;
        }
        DeliveryAttempts attempts = new DeliveryAttempts(delivery, settler, endpoint.toString());
        settle(delivery, settler, limits.decision(attempts), limits.limit(message));
    }

    /** Settles on the delivering thread, or where asynchronous work has ended. */
    private void settle(Delivery delivery, Settler settler, DeliveryDecision decision, Duration deadLetterLimit)
            throws Exception {
        if (decision instanceof DeliveryDecision.Stop stop) {
            stop(stop.refusal());
            handBack(settler);
        } else {
            decisionSettler.settle(delivery, settler, decision, deadLetterLimit);
        }
    }

    private ListenerStops stops() {
        return limits.listeners().stops();
    }

    /** Stops the container. Blocks until it takes no more messages. */
    private void stop(ListenerConfigurationException refusal) {
        container.stop(stops(), refusal);
    }

    private void handBack(Settler settler) throws Exception {
        settler.defer(new DeliveryDecision.Defer(
                endpoint.anyScope(limits.listeners()), Duration.ZERO, "its listener is stopped"));
    }

    private Settler settler(MethodInvocation invocation, Channel channel, Message message, Delivery delivery) {
        if (container.endsAsync()) {
            return new AsyncSettler(invocation, channel, message, delivery, container.requeuesRejected());
        }
        return container.isManual()
                ? ManualSettler.ofListener(
                        invocation, channel, message, delivery, manualChannels, container.acknowledgesImmediately())
                : new AutoSettler(invocation, message);
    }

    /**
     * Returns the single message. A producer's batch shares one header table, so its messages share one key and all but
     * one would be dropped.
     */
    private static Message single(Object data) {
        if (!(data instanceof Message message)) {
            throw new IllegalStateException("Batches were refused at start-up, but got "
                    + data.getClass().getName());
        }
        if (message.getMessageProperties().getHeaders().containsKey(MessageProperties.SPRING_BATCH_FORMAT)) {
            throw new ListenerExecutionFailedException(
                    "A batch of messages with one key cannot be told apart; publish them one by one",
                    // Rejected whatever the container does with failures: no redelivery makes single messages of it.
                    new AmqpRejectAndDontRequeueException(
                            "Header " + MessageProperties.SPRING_BATCH_FORMAT + " is not supported", true, null),
                    message);
        }
        return message;
    }
}
