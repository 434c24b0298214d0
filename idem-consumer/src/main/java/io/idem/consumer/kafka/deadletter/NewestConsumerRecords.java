package io.idem.consumer.kafka.deadletter;

import static io.idem.internal.value.Arguments.require;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The newest records of a topic as bytes, as far back as a limit, with the same share for each partition: no records
 * that come after the start, and none of a transaction that was not committed. For one thread.
 */
final class NewestConsumerRecords implements AutoCloseable {

    /**
     * Settings of the application that do not fit this read: a group would be joined, an interceptor would count, a
     * deserializer or reset policy would be wrong.
     */
    private static final List<String> NOT_FOR_A_LOOK = List.of(
            CommonClientConfigs.GROUP_ID_CONFIG,
            CommonClientConfigs.GROUP_INSTANCE_ID_CONFIG,
            ConsumerConfig.GROUP_PROTOCOL_CONFIG,
            ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);

    private static final Duration POLL = Duration.ofMillis(200);

    private final Duration timeout;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Long> ends;
    private final boolean more;
    private int examined;

    /**
     * Seeks to the first record to read.
     *
     * @param settings the application's consumers'
     * @param limit most records, from 1; rounded up to the same number for each partition
     * @param timeout time limit of one answer, and of a read without records
     * @throws IllegalArgumentException if there is no such topic
     */
    NewestConsumerRecords(Map<String, Object> settings, String topic, int limit, Duration timeout) {
        this.timeout = timeout;
        this.consumer =
                new KafkaConsumer<>(forALook(settings), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        try {
            List<TopicPartition> partitions = partitions(topic);
            consumer.assign(partitions);
            this.ends = consumer.endOffsets(partitions, timeout);
            this.more = seek(consumer.beginningOffsets(partitions, timeout), -Math.floorDiv(-limit, partitions.size()));
        } catch (RuntimeException unusable) {
            consumer.close();
            throw unusable;
        }
    }

    private static Map<String, Object> forALook(Map<String, Object> application) {
        Map<String, Object> settings = new HashMap<>(application);
        NOT_FOR_A_LOOK.forEach(settings::remove);
        settings.computeIfPresent(ConsumerConfig.CLIENT_ID_CONFIG, (name, id) -> id + "-redrive");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return settings;
    }

    private List<TopicPartition> partitions(String topic) {
        List<TopicPartition> partitions = new ArrayList<>();
        consumer.partitionsFor(topic, timeout)
                .forEach(partition -> partitions.add(new TopicPartition(topic, partition.partition())));
        require(!partitions.isEmpty(), "Kafka has no topic \"" + topic + "\"");
        return partitions;
    }

    private long end(TopicPartition partition) {
        return Objects.requireNonNull(ends.get(partition));
    }

    /** Seeks each partition, and returns whether it has earlier records. */
    private boolean seek(Map<TopicPartition, Long> begins, int share) {
        boolean older = false;
        for (Map.Entry<TopicPartition, Long> begin : begins.entrySet()) {
            long from = Math.max(begin.getValue(), end(begin.getKey()) - share);
            consumer.seek(begin.getKey(), from);
            older |= from > begin.getValue();
        }
        return older;
    }

    /**
     * Reads all records.
     *
     * @return the newest one, by its timestamp, that fits
     * @throws TimeoutException if no more records come
     */
    Optional<ConsumerRecord<byte[], byte[]>> last(Predicate<ConsumerRecord<byte[], byte[]>> fits) {
        Optional<ConsumerRecord<byte[], byte[]>> newest = Optional.empty();
        long silentSince = System.nanoTime();
        while (!atTheEnd()) {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            if (!records.isEmpty()) {
                silentSince = System.nanoTime();
            } else if (System.nanoTime() - silentSince > timeout.toNanos()) {
                throw new TimeoutException("Kafka sent nothing for " + timeout + "; the dead letter is still there");
            }
            for (ConsumerRecord<byte[], byte[]> record : records) {
                newest = newer(newest, record, fits);
            }
        }
        return newest;
    }

    private Optional<ConsumerRecord<byte[], byte[]>> newer(
            Optional<ConsumerRecord<byte[], byte[]>> newest,
            ConsumerRecord<byte[], byte[]> record,
            Predicate<ConsumerRecord<byte[], byte[]>> fits) {
        if (record.offset() >= end(new TopicPartition(record.topic(), record.partition()))) {
            return newest;
        }
        examined++;
        boolean later = newest.isEmpty() || newest.get().timestamp() <= record.timestamp();
        return later && fits.test(record) ? Optional.of(record) : newest;
    }

    private boolean atTheEnd() {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey(), timeout) >= end.getValue());
    }

    int examined() {
        return examined;
    }

    boolean more() {
        return more;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
