package io.idem.consumer.kafka;

import io.idem.consumer.IdempotencyHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
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
        this.reader = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        KafkaTestApplication.bootstrapServers(),
                        "auto.offset.reset",
                        "earliest",
                        "metadata.max.age.ms",
                        "500"),
                new StringDeserializer(),
                new StringDeserializer());
        reader.assign(List.of(new TopicPartition(topic, 0)));
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

    @Override
    public void close() {
        reader.close();
    }
}
