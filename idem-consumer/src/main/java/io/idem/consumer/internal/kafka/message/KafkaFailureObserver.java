package io.idem.consumer.internal.kafka.message;

import io.idem.consumer.internal.batch.BatchCall;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.internal.method.HiddenMembers;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.listener.KafkaListenerErrorHandler;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.adapter.FilteringMessageListenerAdapter;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.messaging.Message;

/**
 * Notes exceptions of the listener before any error handling of the application can swallow them, and records that its
 * record filter drops. A delivery that comes back undecided without either was not taken over. Stateless.
 */
public final class KafkaFailureObserver implements MethodInterceptor {

    /**
     * Notes failures that the listener adapter hands to the application's error handler. Before the container is made.
     */
    public static void watchErrorHandler(MethodKafkaListenerEndpoint<?, ?> endpoint) {
        if (HiddenMembers.read(endpoint, "errorHandler") instanceof KafkaListenerErrorHandler own
                && !(own instanceof Watched)) {
            endpoint.setErrorHandler(new Watched(own));
        }
    }

    /**
     * Notes records that the application's filter drops: it takes them over as an error handler takes over a failure.
     */
    public static <K, V> MessageListener<K, V> watchFilter(MessageListener<K, V> own) {
        if (!(own instanceof FilteringMessageListenerAdapter<K, V> filter)) {
            return own;
        }
        RecordFilterStrategy<K, V> strategy = AdapterFields.strategy(filter);
        return new FilteringMessageListenerAdapter<>(
                filter.getDelegate(),
                record -> {
                    boolean dropped = strategy.filter(record);
                    if (dropped) {
                        BatchCall.seeFailure();
                    }
                    return dropped;
                },
                AdapterFields.acknowledgesDiscarded(filter));
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        try {
            return invocation.proceed();
        } catch (Throwable failure) {
            BatchCall.seeFailure();
            throw failure;
        }
    }

    private record Watched(KafkaListenerErrorHandler own) implements KafkaListenerErrorHandler {

        @Override
        public Object handleError(Message<?> message, ListenerExecutionFailedException failure) {
            BatchCall.seeFailure();
            Object result = own.handleError(message, failure);
            taken(result);
            return result;
        }

        @Override
        public @Nullable Object handleError(
                Message<?> message,
                ListenerExecutionFailedException failure,
                @Nullable Consumer<?, ?> consumer,
                @Nullable Acknowledgment acknowledgment) {
            BatchCall.seeFailure();
            Object result = own.handleError(message, failure, consumer, acknowledgment);
            taken(result);
            return result;
        }

        private static void taken(@Nullable Object result) {
            CurrentDelivery.get()
                    .flatMap(Delivery::asyncSettlement)
                    .ifPresent(settlement -> settlement.taken(result != null));
        }
    }
}
