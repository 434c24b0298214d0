package io.idem.consumer.rabbit;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.call.IdempotentListeners;
import java.util.Optional;
import java.util.function.Predicate;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;

/** Makes the library's own delivery hook for a container that is not there. */
public final class SimulatedHooks {

    private SimulatedHooks() {}

    /**
     * A hook for a container that acknowledges by itself.
     *
     * @param deadLetters whether a dead letter of a message was confirmed; null leaves them to the queue
     */
    public static MethodInterceptor hook(
            IdempotentListeners listeners, @Nullable Predicate<DeliveredMessage> deadLetters) {
        DeadLetters letters = deadLetters == null
                ? DeadLetters.LEFT_TO_THE_QUEUE
                : (message, verdict) ->
                        deadLetters.test(message) ? DeadLetters.Result.CONFIRMED : DeadLetters.Result.REFUSED;
        return new RabbitDeliveryHook(listeners, letters, Optional.empty());
    }
}
