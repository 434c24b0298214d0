package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.internal.kafka.message.OpenOffsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.SeekUtils;

/**
 * Records that the error handler of a container that commits out of order has recovered at once while others of their
 * poll waited. A container of spring-kafka 4.1.1 goes on waiting for the acknowledgements of those others, which were
 * sought back to and would have to be polled first: for ever (docs/reports/upstream.md). It does not wait for records
 * in retry, so it is told that the recovered one is in retry. The recovered record comes once more and is then
 * acknowledged in its turn, without running. Thread-safe.
 */
final class RecoveredConsumerRecords {

    private final Map<TopicPartition, Long> recovered = new ConcurrentHashMap<>();

    /** Returns whether this record has been recovered and need only be acknowledged, and forgets it. */
    boolean take(ConsumerRecord<?, ?> record) {
        TopicPartition partition = OpenOffsets.partition(record);
        Long offset = recovered.get(partition);
        if (offset == null || offset > record.offset()) {
            return false;
        }
        recovered.remove(partition);
        return offset == record.offset();
    }

    /** Forgets the records of partitions whose position another consumer may have moved meanwhile. */
    void forget(Collection<TopicPartition> partitions) {
        partitions.forEach(recovered::remove);
    }

    /** Handles a failure on the consumer's thread, as {@link CommonErrorHandler#handleRemaining}. */
    void handle(
            CommonErrorHandler own,
            Exception thrown,
            List<ConsumerRecord<?, ?>> records,
            Consumer<?, ?> consumer,
            MessageListenerContainer container) {
        ConsumerRecord<?, ?> failed = records.get(0);
        List<ConsumerRecord<?, ?>> behind = records.subList(1, records.size());
        if (take(failed)) {
            // The failed record cannot reach the listener, which would acknowledge it: the next acknowledged one of its
            // partition covers it.
            seek(thrown, behind, consumer, container, own.logger());
            return;
        }
        own.handleRemaining(thrown, records, consumer, container);
        if (!behind.isEmpty()) {
            recovered.put(OpenOffsets.partition(failed), failed.offset());
            seek(thrown, records, consumer, container, own.logger());
        }
    }

    /**
     * Seeks back and throws the exception by which the container recognizes a retry; without any records it
     * acknowledges the failed one.
     */
    private static void seek(
            Exception thrown,
            List<ConsumerRecord<?, ?>> records,
            Consumer<?, ?> consumer,
            MessageListenerContainer container,
            LogAccessor log) {
        if (!records.isEmpty()) {
            SeekUtils.seekOrRecover(
                    thrown,
                    records,
                    consumer,
                    container,
                    false,
                    (record, failure) -> false,
                    log,
                    KafkaException.Level.DEBUG);
        }
    }
}
