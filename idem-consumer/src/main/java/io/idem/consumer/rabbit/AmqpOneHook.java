package io.idem.consumer.rabbit;

import com.rabbitmq.client.amqp.Consumer;
import io.idem.consumer.Delivery;
import io.idem.consumer.DeliveryVerdict;
import io.idem.consumer.IdempotentListeners;
import io.idem.consumer.InPlaceWait;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.listener.FatalListenerExecutionException;
import org.springframework.amqp.rabbitmq.client.RabbitAmqpUtils;
import org.springframework.amqp.rabbitmq.client.listener.RabbitAmqpListenerContainer;

/**
 * The delivery hook for containers of RabbitMQ's AMQP 1.0 client that settle by themselves: returning accepts, a deferral
 * releases the message, which no delivery limit counts, and a dead letter without a destination discards it. Thread-safe;
 * waits on the delivering thread.
 */
final class AmqpOneHook implements MethodInterceptor {

    private final IdempotentEndpoint endpoint;
    private final IdempotentListeners listeners;
    private final VerdictSettlement settlement;
    private @Nullable RabbitAmqpListenerContainer container;

    AmqpOneHook(IdempotentEndpoint endpoint, HookParts parts) {
        this.endpoint = endpoint;
        this.listeners = parts.listeners().get();
        this.settlement =
                new VerdictSettlement(listeners.events(), parts.deadLetters().get());
    }

    /** Tells it whose deliveries it settles; before the container starts. */
    void attach(RabbitAmqpListenerContainer to) {
        container = to;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object[] arguments = invocation.getArguments();
        if (arguments.length != 2 || !(arguments[0] instanceof com.rabbitmq.client.amqp.Message received)) {
            return invocation.proceed();
        }
        refuseManual((Consumer.Context) arguments[1]);
        Message message = RabbitAmqpUtils.fromAmqpMessage(received, null);
        Delivery delivery = new Delivery(new RabbitDeliveredMessage(message, this::stopping));
        Settler settler = new AutoSettler(invocation, message);
        settlement.settle(delivery, settler, last(new DeliveryAttempts(delivery, settler)));
        return null;
    }

    /** A release costs nothing, so that also a message that waits for the store is given back after a while. */
    private DeliveryVerdict last(DeliveryAttempts attempts) throws Throwable {
        InPlaceWait wait = new InPlaceWait(listeners.settings().inPlaceWait(), this::stopping);
        DeliveryVerdict verdict = attempts.next();
        while (verdict instanceof DeliveryVerdict.Defer deferral && wait.pause(deferral.retryAfter())) {
            verdict = attempts.next();
        }
        return verdict;
    }

    /** A customizer may have asked for it unseen; the container stops for this exception and the message stays. */
    private void refuseManual(Consumer.@Nullable Context settlesItself) {
        if (settlesItself != null) {
            throw new FatalListenerExecutionException(endpoint
                    + " is listened to by a container that leaves settling to it. " + AmqpOneContainers.REMEDY);
        }
    }

    private boolean stopping() {
        return container != null && !container.isRunning();
    }
}
