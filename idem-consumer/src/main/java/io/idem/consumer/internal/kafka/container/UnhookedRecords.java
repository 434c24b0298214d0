package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.call.UnhookedDeliveries;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.MessageListenerContainer;

/** Stops the container of each consumer that delivers records without a delivery hook. */
public final class UnhookedRecords implements UnhookedDeliveries {

    /** Returns whether the class is a consumer, which is a class inside its container. */
    @Override
    public boolean isContainer(Class<?> caller) {
        @Nullable Class<?> outer = caller;
        while (outer != null && !MessageListenerContainer.class.isAssignableFrom(outer)) {
            outer = outer.getEnclosingClass();
        }
        return outer != null;
    }

    /** Never returns: throws an error, for which the container stops and commits nothing. */
    @Override
    public RuntimeException refuse(ListenerConfigurationException refusal) {
        throw new UnhookedRecordError(refusal);
    }
}
