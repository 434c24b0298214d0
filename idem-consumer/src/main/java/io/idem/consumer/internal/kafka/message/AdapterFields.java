package io.idem.consumer.internal.kafka.message;

import io.idem.internal.method.HiddenMembers;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.listener.adapter.AbstractFilteringMessageListener;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;

/** Reads fields of spring-kafka's listener adapters and endpoints that have no accessors. */
public final class AdapterFields {

    private AdapterFields() {}

    @SuppressWarnings("unchecked")
    public static <K, V> RecordFilterStrategy<K, V> strategy(AbstractFilteringMessageListener<K, V, ?> filter) {
        return (RecordFilterStrategy<K, V>) Objects.requireNonNull(HiddenMembers.read(filter, "recordFilterStrategy"));
    }

    public static boolean acknowledgesDiscarded(AbstractFilteringMessageListener<?, ?, ?> filter) {
        return (boolean) Objects.requireNonNull(HiddenMembers.read(filter, "ackDiscarded"));
    }

    /** Tells the container of a failure of a record whose listener is asynchronous, as the listener's adapter does. */
    @SuppressWarnings("unchecked")
    public static <K, V> void tellOfAsyncFailure(
            Object listener, ConsumerRecord<K, V> record, RuntimeException failure) {
        Object adapter =
                ListenerLayers.of(listener).reduce((outer, inner) -> inner).orElseThrow();
        ((BiConsumer<ConsumerRecord<K, V>, RuntimeException>)
                        Objects.requireNonNull(HiddenMembers.read(adapter, "asyncRetryCallback")))
                .accept(record, failure);
    }
}
