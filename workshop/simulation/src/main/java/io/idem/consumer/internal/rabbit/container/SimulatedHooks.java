package io.idem.consumer.internal.rabbit.container;

import io.idem.IdempotencyKey;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.rabbit.defer.Deferrals;
import io.idem.consumer.internal.rabbit.defer.WaitLimits;
import io.idem.consumer.internal.rabbit.message.DeadLetters;
import io.idem.consumer.rabbit.DeferralSettings;
import io.idem.consumer.rabbit.DeliveryLimits;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
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
                : (delivery, decision) -> deadLetters.test(delivery.message())
                        ? DeadLetters.Result.CONFIRMED
                        : DeadLetters.Result.REFUSED;
        Duration leased = Duration.ofSeconds(30);
        DeliveryLimits limits = new DeliveryLimits(Stream::empty, leased, () -> leased, leased);
        WaitLimits inPlace =
                new WaitLimits(listeners, new Deferrals(DeferralSettings.DEFAULTS, leased, limits).inPlace());
        return new RabbitListenerHook(
                IdempotentRabbitEndpoint.of(endpoint).orElseThrow(),
                new Running(),
                inPlace,
                letters,
                IdempotencyKey.DEFAULT_TENANT);
    }

    /** Is told to run, and has no consumers. */
    private static final class Running extends AbstractMessageListenerContainer {

        Running() {
            super.doStart();
        }

        @Override
        protected void doInitialize() {}
    }
}
