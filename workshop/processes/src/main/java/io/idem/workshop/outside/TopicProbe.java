package io.idem.workshop.outside;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A Kafka client without a consumer group that reads whole topics and the committed offsets of groups. Not thread-safe.
 */
public final class TopicProbe implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(200);

    private static final int UNTIL_FLUSHED_MILLIS = 60_000;

    private final String bootstrapServers;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Admin admin;

    public TopicProbe(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
        Map<String, Object> address = Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        consumer = new KafkaConsumer<>(address, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        producer = new KafkaProducer<>(address, new ByteArraySerializer(), new ByteArraySerializer());
        admin = Admin.create(address);
    }

    /** Appends a record; returns when it is confirmed. */
    public void publish(ProducerRecord<byte[], byte[]> message) {
        try {
            producer.send(message).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while publishing", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka did not take the record", e);
        }
    }

    /** Appends records of one partition such that a poll returns all or none; returns when they are confirmed. */
    public void publishTogether(List<ProducerRecord<byte[], byte[]>> messages) {
        Map<String, Object> lingering = Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ProducerConfig.LINGER_MS_CONFIG,
                UNTIL_FLUSHED_MILLIS);
        try (KafkaProducer<byte[], byte[]> together =
                new KafkaProducer<>(lingering, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<RecordMetadata>> sent =
                    messages.stream().map(together::send).toList();
            together.flush();
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while publishing", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka did not take the records", e);
        }
    }

    /** Returns the records in a topic with this value of a header. */
    public List<ConsumerRecord<byte[], byte[]>> records(String topic, String header, String value) {
        return records(topic).stream()
                .filter(each -> text(each, header).equals(Optional.of(value)))
                .toList();
    }

    /** Returns all records in a topic. */
    public List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        List<TopicPartition> partitions = partitions(topic);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            consumer.poll(POLL).forEach(found::add);
        }
        return List.copyOf(found);
    }

    /** Returns the number of records of a topic that a group has not committed. */
    public long lag(String group, String topic) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions(topic));
        Map<TopicPartition, OffsetAndMetadata> committed = committed(group);
        return ends.entrySet().stream()
                .mapToLong(end -> end.getValue()
                        - Optional.ofNullable(committed.get(end.getKey()))
                                .map(OffsetAndMetadata::offset)
                                .orElse(0L))
                .sum();
    }

    private Map<TopicPartition, OffsetAndMetadata> committed(String group) {
        try {
            return admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while asking for offsets", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("No offsets of " + group, e);
        }
    }

    private List<TopicPartition> partitions(String topic) {
        return consumer.partitionsFor(topic).stream()
                .map((PartitionInfo info) -> new TopicPartition(topic, info.partition()))
                .collect(Collectors.toList());
    }

    /** Returns the last value of a header as text. */
    public static Optional<String> text(ConsumerRecord<byte[], byte[]> message, String header) {
        return Optional.ofNullable(message.headers().lastHeader(header))
                .map(Header::value)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        consumer.close();
        producer.close();
        admin.close();
    }
}
