package io.idem.consumer.internal.kafka.batch;

import io.idem.consumer.internal.kafka.message.OpenOffsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;

/**
 * Wraps an application's filter of batches, which does not see records behind those that their listener has not
 * acknowledged: the container commits dropped records, and with them all records in front of them. Such records do not
 * run either; the filter sees them when they come again.
 */
public record FilterBehindOpenWork<K, V>(RecordFilterStrategy<K, V> own, OpenOffsets open)
        implements RecordFilterStrategy<K, V> {

    @Override
    public boolean filter(ConsumerRecord<K, V> record) {
        return own.filter(record);
    }

    @Override
    public List<ConsumerRecord<K, V>> filterBatch(List<ConsumerRecord<K, V>> records) {
        Set<TopicPartition> waiting =
                open.keepWaiting(records.stream().map(OpenOffsets::partition).collect(Collectors.toSet()));
        return waiting.isEmpty() ? own.filterBatch(records) : filterOthers(records, waiting);
    }

    /** Filters in the container's order: the records in front of one that fails count as done. */
    private List<ConsumerRecord<K, V>> filterOthers(List<ConsumerRecord<K, V>> records, Set<TopicPartition> waiting) {
        List<ConsumerRecord<K, V>> others = new ArrayList<>();
        Map<Position, ConsumerRecord<K, V>> kept = new HashMap<>();
        for (ConsumerRecord<K, V> record : records) {
            if (waiting.contains(OpenOffsets.partition(record))) {
                kept.put(Position.of(record), record);
            } else {
                others.add(record);
            }
        }
        if (!others.isEmpty()) {
            own.filterBatch(others).forEach(record -> kept.put(Position.of(record), record));
        }
        List<ConsumerRecord<K, V>> inOrder = new ArrayList<>(kept.size());
        for (ConsumerRecord<K, V> record : records) {
            ConsumerRecord<K, V> passed = kept.get(Position.of(record));
            if (passed != null) {
                inOrder.add(passed);
            }
        }
        return inOrder;
    }

    @Override
    public boolean ignoreEmptyBatch() {
        return own.ignoreEmptyBatch();
    }

    private record Position(TopicPartition partition, long offset) {

        static Position of(ConsumerRecord<?, ?> record) {
            return new Position(OpenOffsets.partition(record), record.offset());
        }
    }
}
