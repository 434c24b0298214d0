package io.idem.consumer.internal.rabbit.container;

import com.rabbitmq.client.amqp.Consumer;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.Probe;
import io.idem.consumer.internal.rabbit.defer.Deferrals;
import io.idem.consumer.internal.rabbit.defer.WaitLimits;
import io.idem.consumer.internal.rabbit.message.AutoSettler;
import io.idem.consumer.internal.rabbit.message.CallWait;
import io.idem.consumer.internal.rabbit.message.DeferredDeliveryException;
import io.idem.consumer.internal.rabbit.message.DeliveryAttempts;
import io.idem.consumer.internal.rabbit.message.RabbitDecisionSettler;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import io.idem.consumer.internal.rabbit.message.Settler;
import io.idem.consumer.internal.rabbit.send.RabbitDeadLetterWriter;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.listener.FatalListenerExecutionException;
import org.springframework.amqp.rabbitmq.client.listener.RabbitAmqpListenerContainer;

/**
 * The delivery hook for containers of RabbitMQ's AMQP 1.0 client that settle by themselves: returning accepts, a
 * deferral releases the message, and a dead letter without a destination discards it. Thread-safe; waits on the
 * delivering thread.
 */
final class AmqpOneHook implements MethodInterceptor {

    private final IdempotentRabbitEndpoint endpoint;
    private final IdempotentListeners listeners;
    private final WaitLimits limits;
    private final RabbitDecisionSettler decisionSettler;
    private final RabbitAmqpListenerContainer container;

    AmqpOneHook(IdempotentRabbitEndpoint endpoint, RabbitAmqpListenerContainer container, HookParts parts) {
        this.endpoint = endpoint;
        this.container = container;
        this.listeners = parts.listeners().get();
        Deferrals deferrals = parts.deferrals().get();
        deferrals.refuseStreams(endpoint.toString(), endpoint::queues);
        endpoint.checkSources(listeners, "", endpoint.queues());
        this.limits = new WaitLimits(listeners, deferrals.inPlace());
        this.decisionSettler = new RabbitDecisionSettler(
                listeners.runtime().events(),
                endpoint.deadLetters(parts, RabbitDeadLetterWriter::overTheOnlyConnection));
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object[] arguments = invocation.getArguments();
        com.rabbitmq.client.amqp.Message received =
                arguments.length == 2 && arguments[0] instanceof com.rabbitmq.client.amqp.Message given ? given : null;
        if (Probe.endsAt(received == null ? invocation : this)) {
            return null;
        }
        if (received == null) {
            return invocation.proceed();
        }
        refuseManual((Consumer.Context) arguments[1]);
        return new CallWait(limits::longest, this::stopping, false).during(() -> deliver(invocation, received));
    }

    private @Nullable Object deliver(MethodInvocation invocation, com.rabbitmq.client.amqp.Message received)
            throws Throwable {
        Message message = AmqpOneMessage.of(received, endpoint.queues().get(0));
        Delivery delivery = new Delivery(new RabbitDelivery(message, this::stopping));
        Settler settler = new AutoSettler(invocation, message);
        // RabbitMQ 4.0 counts a release like any other return.
        if (listeners.stops().isStopped(container)) {
            throw stopped(message);
        }
        DeliveryDecision decision = limits.decision(new DeliveryAttempts(delivery, settler, endpoint.toString()));
        if (decision instanceof DeliveryDecision.Stop stop) {
            listeners.stops().stop(container, stop.refusal());
            throw stopped(message);
        }
        decisionSettler.settle(delivery, settler, decision, limits.limit(message));
        return null;
    }

    private DeferredDeliveryException stopped(Message message) {
        return new DeferredDeliveryException(endpoint.anyScope(listeners), "its listener is stopped", message);
    }

    /**
     * Refuses a listener that settles, which a customizer may have set unseen; the container stops for this exception
     * and the message stays.
     */
    private void refuseManual(Consumer.@Nullable Context settlesItself) {
        if (settlesItself != null) {
            throw new FatalListenerExecutionException(endpoint
                    + " is listened to by a container that leaves settling to it. " + AmqpOneContainers.REMEDY);
        }
    }

    /** Returns whether the container's graceful shutdown period is over: until then it lets deliveries finish. */
    private boolean stopping() {
        return !container.isRunning();
    }
}
