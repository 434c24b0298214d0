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

    /** Never returns: throws an error, for which the container stops and commits nothing. */
    @Override
    public RuntimeException refuse(ListenerConfigurationException refusal) {
        throw new UnhookedRecordError(refusal);
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

    /**
     * Ends a consumer that delivers records to an idempotent listener without a delivery hook. An error, since
     * spring-kafka stops a container for one without committing; an exception would go to its error handler, which
     * skips the record in the end.
     */
    private static final class UnhookedRecordError extends Error {

        private static final long serialVersionUID = 1;

        UnhookedRecordError(ListenerConfigurationException refusal) {
            super(refusal);
        }
    }
}
