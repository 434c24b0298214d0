package io.idem.consumer.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Remembers per partition the record that could not be settled last time. What is behind it is not asked for until it is settled:
 * every grant counts as an attempt, and records that only wait must not use theirs up. Thread-safe.
 */
final class SuspectRecords {

    private final Map<TopicPartition, Long> offsets = new ConcurrentHashMap<>();

    /** Positions of the records to ask for. */
    List<Integer> toAskFor(List<? extends ConsumerRecord<?, ?>> records) {
        Map<TopicPartition, Long> limits = new HashMap<>();
        for (ConsumerRecord<?, ?> record : records) {
            limits.computeIfAbsent(IdempotentBatchListener.partition(record), partition -> limit(partition, record));
        }
        return IntStream.range(0, records.size())
                .filter(position -> records.get(position).offset()
                        <= limits.getOrDefault(
                                IdempotentBatchListener.partition(records.get(position)), Long.MAX_VALUE))
                .boxed()
                .toList();
    }

    /** A record that is behind the suspect comes first only when that one is settled, or somebody moved the position. */
    private long limit(TopicPartition partition, ConsumerRecord<?, ?> first) {
        @Nullable Long suspect = offsets.get(partition);
        return suspect == null || first.offset() > suspect ? Long.MAX_VALUE : suspect;
    }

    /** The first record of its partition that could not be settled. */
    void suspect(ConsumerRecord<?, ?> record) {
        offsets.putIfAbsent(IdempotentBatchListener.partition(record), record.offset());
    }

    /** All that was asked for of this record's partition is known anew. */
    void forget(ConsumerRecord<?, ?> record) {
        offsets.remove(IdempotentBatchListener.partition(record));
    }
}
