package io.idem.consumer.internal.rabbit.container;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.rabbit.message.DeadLetters;
import java.lang.reflect.Method;
import java.util.function.Predicate;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint;

/** Makes the library's own delivery hook for a container that is not there. */
public final class SimulatedHooks {

    private SimulatedHooks() {}

    /**
     * A hook for a container that acknowledges by itself.
     *
     * @param listener the bean, and its idempotent method, that the container calls
     * @param deadLetters whether a dead letter of a message was confirmed; null leaves them to the queue
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
