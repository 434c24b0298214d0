package io.idem.consumer.internal.kafka.batch;

import io.idem.consumer.internal.kafka.message.OpenOffsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Remembers per partition the record that could not be settled last time. The records behind it are not acquired until
 * it is settled: every grant counts as an attempt, and records that only wait must not use theirs up. Also remembers
 * the records that are to run once without the others of their batch. All consumers of a container share it, each with
 * partitions of its own. Thread-safe.
 */
public final class SuspectConsumerRecords {

    private final Map<TopicPartition, Long> offsets = new ConcurrentHashMap<>();
    /** An entry that is left behind by a revoked partition costs at most one batch that runs in two parts. */
    private final Map<TopicPartition, Long> apart = new ConcurrentHashMap<>();

    /** Returns the positions of the records to acquire. */
    List<Integer> toAskFor(List<? extends ConsumerRecord<?, ?>> records) {
        List<Integer> apart = upTo(takeApart(records), -1, records);
        return apart.isEmpty() ? upTo(limits(records), Long.MAX_VALUE, records) : apart;
    }

    private Map<TopicPartition, Long> takeApart(List<? extends ConsumerRecord<?, ?>> records) {
        Map<TopicPartition, Long> taken = new HashMap<>();
        for (ConsumerRecord<?, ?> record : records) {
            TopicPartition partition = OpenOffsets.partition(record);
            Long last = apart.remove(partition);
            if (last != null) {
                taken.put(partition, last);
            }
        }
        return taken;
    }

    /** Marks records that were rolled back because of another one: when they come again, they are acquired alone. */
    void apart(List<? extends ConsumerRecord<?, ?>> records) {
        Map<TopicPartition, Long> last = new HashMap<>();
        records.forEach(record -> last.merge(OpenOffsets.partition(record), record.offset(), Math::max));
        apart.putAll(last);
    }

    private Map<TopicPartition, Long> limits(List<? extends ConsumerRecord<?, ?>> records) {
        Map<TopicPartition, Long> limits = new HashMap<>();
        for (ConsumerRecord<?, ?> record : records) {
            limits.computeIfAbsent(OpenOffsets.partition(record), partition -> limit(partition, record));
        }
        return limits;
    }

    private static List<Integer> upTo(
            Map<TopicPartition, Long> limits, long otherwise, List<? extends ConsumerRecord<?, ?>> records) {
        return IntStream.range(0, records.size())
                .filter(position -> records.get(position).offset()
                        <= limits.getOrDefault(OpenOffsets.partition(records.get(position)), otherwise))
                .boxed()
                .toList();
    }

    /**
     * A record that is behind the suspect comes first only when that one is settled, or the position was moved from
     * outside.
     */
    private long limit(TopicPartition partition, ConsumerRecord<?, ?> first) {
        @Nullable Long suspect = offsets.get(partition);
        return suspect == null || first.offset() > suspect ? Long.MAX_VALUE : suspect;
    }

    /** Marks the first record of its partition that could not be settled. */
    void suspect(ConsumerRecord<?, ?> record) {
        offsets.putIfAbsent(OpenOffsets.partition(record), record.offset());
    }

    /** Forgets the partition of a record, all of whose acquired records are settled or known anew. */
    void forget(ConsumerRecord<?, ?> record) {
        offsets.remove(OpenOffsets.partition(record));
    }
}
