package io.idem.applications.mutation;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.servers.SharedServers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Two topics of Kafka. */
final class KafkaLine implements Line {

    private static final Duration MOMENT = Duration.ofMillis(100);

    private final String name;
    private final TopicPartition eventsPartition;
    private final Map<String, Object> servers =
            Map.of("bootstrap.servers", SharedServers.kafka().bootstrapServers());
    private final Admin admin = Admin.create(servers);
    private final KafkaProducer<String, String> producer =
            new KafkaProducer<>(servers, new StringSerializer(), new StringSerializer());
    private final KafkaConsumer<String, String> consumer =
            new KafkaConsumer<>(servers, new StringDeserializer(), new StringDeserializer());
    private final List<String> events = new ArrayList<>();
    private long end;

    KafkaLine(String name) throws Exception {
        this.name = name;
        this.eventsPartition = new TopicPartition(name + ".events", 0);
        admin.createTopics(
                        List.of(new NewTopic(name, 1, (short) 1), new NewTopic(eventsPartition.topic(), 1, (short) 1)))
                .all()
                .get();
        consumer.assign(List.of(eventsPartition));
        consumer.seekToBeginning(List.of(eventsPartition));
    }

    @Override
    public Map<String, Object> settings() {
        return Map.of(
                "spring.kafka.bootstrap-servers",
                Objects.requireNonNull(servers.get("bootstrap.servers")),
                "spring.kafka.consumer.group-id",
                name,
                "spring.kafka.consumer.auto-offset-reset",
                "earliest",
                "spring.kafka.consumer.fetch-max-wait",
                "20ms",
                "spring.kafka.listener.poll-timeout",
                "100ms",
                "spring.kafka.producer.value-serializer",
                StringSerializer.class.getName(),
                "spring.kafka.producer.key-serializer",
                StringSerializer.class.getName());
    }

    @Override
    public void send(String key, String order) throws Exception {
        ProducerRecord<String, String> record = new ProducerRecord<>(name, order);
        record.headers().add(IdempotencyHeaders.KEY, key.getBytes(StandardCharsets.UTF_8));
        end = producer.send(record).get().offset() + 1;
    }

    @Override
    public List<String> events() {
        long until = Objects.requireNonNull(
                consumer.endOffsets(List.of(eventsPartition)).get(eventsPartition));
        while (consumer.position(eventsPartition) < until) {
            consumer.poll(MOMENT).forEach(record -> events.add(record.value()));
        }
        return events;
    }

    @Override
    public boolean keepsAnOrder() throws Exception {
        OffsetAndMetadata committed = admin.listConsumerGroupOffsets(name)
                .partitionsToOffsetAndMetadata()
                .get()
                .get(new TopicPartition(name, 0));
        return committed == null || committed.offset() < end;
    }

    @Override
    public void close() {
        producer.close();
        consumer.close();
        admin.deleteTopics(List.of(name, eventsPartition.topic()));
        admin.close();
    }
}
