package io.idem.examples.modulith;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.servers.RunningKafka;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The topic to which orders are externalized. */
final class OrderTopic implements AutoCloseable {

    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    private final Map<String, Object> address;
    private final Admin admin;

    private OrderTopic(RunningKafka broker) {
        address = Map.of("bootstrap.servers", broker.bootstrapServers());
        admin = Admin.create(address);
    }

    static OrderTopic create(RunningKafka broker) {
        OrderTopic topic = new OrderTopic(broker);
        await(topic.admin
                .createTopics(List.of(new NewTopic(ORDERS.topic(), 1, (short) 1)))
                .all());
        return topic;
    }

    /** Returns the idempotency key of each record, in the order of the topic; "none" for a record without one. */
    List<String> keys() {
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(address, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            Collection<TopicPartition> orders = List.of(ORDERS);
            consumer.assign(orders);
            consumer.seekToBeginning(orders);
            long end = Objects.requireNonNull(consumer.endOffsets(orders).get(ORDERS));
            List<String> keys = new ArrayList<>();
            while (consumer.position(ORDERS) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> keys.add(key(record)));
            }
            return keys;
        }
    }

    private static String key(ConsumerRecord<byte[], byte[]> record) {
        Header key = record.headers().lastHeader(IdempotencyHeaders.KEY);
        return key == null ? "none" : new String(key.value(), StandardCharsets.UTF_8);
    }

    private static void await(KafkaFuture<?> future) {
        try {
            future.get();
        } catch (InterruptedException | ExecutionException failed) {
            throw new IllegalStateException("Kafka did not answer", failed);
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
