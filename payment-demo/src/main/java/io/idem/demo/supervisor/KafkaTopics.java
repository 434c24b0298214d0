package io.idem.demo.supervisor;

import io.idem.demo.messaging.Topics;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.AppInfoParser;

/** A client of Kafka like any other, without Spring and without idem. Thread-safe. */
final class KafkaTopics implements AutoCloseable {

    private static final long TIMEOUT_SECONDS = 10;
    private static final Map<String, String> TOPICS_BY_GROUP =
            Map.of("payouts", Topics.PAYOUTS, "receipts", Topics.PAYMENT_SETTLED, "risk", Topics.PAYMENT_SETTLED);

    private final Admin admin;
    private final KafkaProducer<String, byte[]> producer;

    KafkaTopics(Map<String, Object> client) {
        this.admin = Admin.create(client);
        this.producer = new KafkaProducer<>(client, new StringSerializer(), new ByteArraySerializer());
    }

    /** Publishes a payout; returns when Kafka has acknowledged it. */
    void publishPayout(String key, Map<String, Object> headers, byte[] body) {
        ProducerRecord<String, byte[]> message = new ProducerRecord<>(Topics.PAYOUTS, key, body);
        headers.forEach(
                (name, value) -> message.headers().add(name, value.toString().getBytes(StandardCharsets.UTF_8)));
        get(producer.send(message));
    }

    /** Returns the number of messages that a group has not acknowledged. */
    long lag() {
        return TOPICS_BY_GROUP.entrySet().stream()
                .mapToLong(entry -> lag(entry.getKey(), entry.getValue()))
                .sum();
    }

    private long lag(String group, String topic) {
        Map<TopicPartition, OffsetAndMetadata> committed =
                get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
        return ends(Set.of(topic)).entrySet().stream()
                .mapToLong(end -> {
                    OffsetAndMetadata offset = committed.get(end.getKey());
                    return end.getValue() - (offset == null ? 0 : offset.offset());
                })
                .sum();
    }

    /** Returns the number of messages in dead-letter topics. */
    long deadLetters() {
        Set<String> topics = get(admin.listTopics().names()).stream()
                .filter(topic -> topic.endsWith(Topics.DEAD_LETTERS))
                .collect(Collectors.toSet());
        return ends(topics).values().stream().mapToLong(Long::longValue).sum();
    }

    private Map<TopicPartition, Long> ends(Set<String> topics) {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        for (TopicDescription topic :
                get(admin.describeTopics(topics).allTopicNames()).values()) {
            topic.partitions()
                    .forEach(partition ->
                            latest.put(new TopicPartition(topic.name(), partition.partition()), OffsetSpec.latest()));
        }
        return get(admin.listOffsets(latest).all()).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().offset()));
    }

    /** Returns the feature level of the brokers and the version of this client. */
    String version() {
        var levels = get(admin.describeFeatures().featureMetadata()).finalizedFeatures();
        return Optional.ofNullable(levels.get("metadata.version"))
                .map(range -> "metadata.version level " + range.maxVersionLevel() + ", client ")
                .orElse("client ")
                .concat(AppInfoParser.getVersion());
    }

    private static <T> T get(Future<T> answer) {
        try {
            return answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka refused", e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("Kafka did not answer within " + TIMEOUT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for Kafka", e);
        }
    }

    @Override
    public void close() {
        producer.close();
        admin.close();
    }
}
