package io.idem.consumer.internal.rabbit.container;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.rabbit.message.DeadLetters;
import java.lang.reflect.Method;
import java.util.function.Predicate;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint;

/** Creates the library's own delivery hook for a simulated container. */
public final class SimulatedHooks {

    private SimulatedHooks() {}

    /**
     * Returns a hook for a container that acknowledges messages itself.
     *
     * @param listener listener bean, whose idempotent method the container calls
     * @param deadLetters publishes the dead letter of a message and returns whether it was confirmed; null if the queue
     *     makes them
     */
    public static MethodInterceptor hook(
            IdempotentListeners listeners,
            Object listener,
            Method method,
            @Nullable Predicate<DeliveredMessage> deadLetters) {
        MethodRabbitListenerEndpoint endpoint = new MethodRabbitListenerEndpoint();
        endpoint.setBean(listener);
        endpoint.setMethod(method);
        DeadLetters letters = deadLetters == null
                ? DeadLetters.LEFT_TO_THE_QUEUE
                : (message, decision) ->
                        deadLetters.test(message) ? DeadLetters.Result.CONFIRMED : DeadLetters.Result.REFUSED;
        return new RabbitListenerHook(IdempotentRabbitEndpoint.of(endpoint).orElseThrow(), listeners, letters);
    }
}
