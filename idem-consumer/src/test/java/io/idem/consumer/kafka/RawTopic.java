package io.idem.consumer.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Writes bytes to one topic, and reads what comes out of another, both as somebody who knows nothing of their meaning. */
final class RawTopic implements AutoCloseable {

    private static final Map<String, Object> BROKER = Map.of(
            "bootstrap.servers",
            KafkaTestApplication.bootstrapServers(),
            "auto.offset.reset",
            "earliest",
            "fetch.max.wait.ms",
            "20");

    private final String in;
    private final KafkaProducer<byte[], byte[]> writer = new KafkaProducer<>(
            Map.of("bootstrap.servers", KafkaTestApplication.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    private final KafkaConsumer<byte[], byte[]> reader =
            new KafkaConsumer<>(BROKER, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();

    RawTopic(String in, String out) {
        this.in = in;
        PublishedRecords.create(out);
        reader.assign(List.of(new TopicPartition(out, 0)));
    }

    void send(byte @Nullable [] key, byte @Nullable [] value, String header, byte[] content) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(in, 0, key, value);
        record.headers().add(header, content);
        var unused = writer.send(record);
        writer.flush();
    }

    /** The first record so far whose headers have these texts. Called by one thread. */
    Optional<ConsumerRecord<byte[], byte[]>> find(Map<String, String> headers) {
        reader.poll(Duration.ofMillis(100)).forEach(records::add);
        return records.stream()
                .filter(record -> headers.entrySet().stream()
                        .allMatch(wanted -> wanted.getValue().equals(text(record, wanted.getKey()))))
                .findFirst();
    }

    private static @Nullable String text(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        writer.close();
        reader.close();
    }
}
