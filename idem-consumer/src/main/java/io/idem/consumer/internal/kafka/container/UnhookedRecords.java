package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.call.UnhookedDeliveries;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.messaging.Message;

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

    /**
     * Never returns: throws an error, for which spring-kafka stops the container without committing. An exception would go
     * to its error handler, which skips the record in the end.
     */
    @Override
    public RuntimeException refuse(ListenerConfigurationException refusal) {
        throw new Error(refusal);
    }

    /** A record that a test has made has no timestamp. */
    @Override
    public boolean isDelivered(Object argument) {
        return argument instanceof Message<?> converted
                ? converted.getHeaders().containsKey(KafkaHeaders.RECEIVED_TOPIC)
                : argument instanceof ConsumerRecord<?, ?> record
                        && record.timestampType() != TimestampType.NO_TIMESTAMP_TYPE;
    }

    /** Never returns: an exception would be its container's to handle, which may skip the record even while it stops. */
    @Override
    public RuntimeException hold(ListenerConfigurationException refusal) {
        while (true) {
            LockSupport.park();
            var unused = Thread.interrupted();
        }
    }
}
