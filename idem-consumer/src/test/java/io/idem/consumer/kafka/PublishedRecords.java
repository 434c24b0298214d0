package io.idem.consumer.kafka;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.ReceivedMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads what was published to a topic of a test's own. */
final class PublishedRecords implements AutoCloseable {

    private final String topic;
    private final KafkaConsumer<String, String> reader;
    private final List<ConsumerRecord<String, String>> records = new ArrayList<>();

    PublishedRecords() {
        this("out-" + UUID.randomUUID());
    }

    PublishedRecords(String topic) {
        this.topic = topic;
        create(topic);
        this.reader = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        KafkaTestApplication.bootstrapServers(),
                        "auto.offset.reset",
                        "earliest",
                        "fetch.max.wait.ms",
                        "20"),
                new StringDeserializer(),
                new StringDeserializer());
        reader.assign(List.of(new TopicPartition(topic, 0)));
    }

    /** A reader that waits for a topic to appear waits long. */
    static void create(String topic) {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        } catch (ExecutionException | InterruptedException failed) {
            if (!(failed.getCause() instanceof TopicExistsException)) {
                throw new IllegalStateException(failed);
            }
        }
    }

    private static Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", KafkaTestApplication.bootstrapServers()));
    }

    /** How many records the broker has now. */
    static long count(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        try (Admin admin = admin()) {
            return offset(admin, partition, OffsetSpec.latest()) - offset(admin, partition, OffsetSpec.earliest());
        } catch (ExecutionException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static long offset(Admin admin, TopicPartition partition, OffsetSpec which)
            throws ExecutionException, InterruptedException {
        return admin.listOffsets(Map.of(partition, which))
                .partitionResult(partition)
                .get()
                .offset();
    }

    String topic() {
        return topic;
    }

    /** All so far. Called by one thread. */
    List<ConsumerRecord<String, String>> all() {
        reader.poll(Duration.ofMillis(100)).forEach(records::add);
        return records;
    }

    List<String> values() {
        return all().stream().map(ConsumerRecord::value).toList();
    }

    List<@Nullable String> keys() {
        return headers(IdempotencyHeaders.KEY);
    }

    List<@Nullable String> headers(String name) {
        List<@Nullable String> values = new ArrayList<>();
        for (ConsumerRecord<String, String> record : all()) {
            Header header = record.headers().lastHeader(name);
            values.add(header == null ? null : new String(header.value(), StandardCharsets.UTF_8));
        }
        return values;
    }

    static ReceivedMessage message(ConsumerRecord<String, String> record) {
        return new ReceivedMessage(record.value(), headers(record));
    }

    /** All headers of a record as texts. */
    static Map<String, String> headers(ConsumerRecord<String, String> record) {
        Map<String, String> texts = new TreeMap<>();
        for (Header header : record.headers()) {
            texts.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
        }
        return texts;
    }

    @Override
    public void close() {
        reader.close();
    }
}
