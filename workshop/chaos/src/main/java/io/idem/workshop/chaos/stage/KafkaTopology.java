package io.idem.workshop.chaos.stage;

import io.idem.servers.process.Waiting;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.Names;
import io.idem.workshop.outside.TopicProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;

/** The topics and groups of the lanes on Kafka, through plain clients. Thread-safe. */
public final class KafkaTopology implements AutoCloseable {

    private static final int PARTITIONS = 6;
    private static final Duration FORGOTTEN_WITHIN = Duration.ofMinutes(2);

    private final Admin admin;
    private final TopicProbe probe;

    KafkaTopology(String bootstrapServers) {
        admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
        probe = new TopicProbe(bootstrapServers);
    }

    private static List<Lane> lanes() {
        return Arrays.stream(Lane.values()).filter(lane -> !lane.rabbit()).toList();
    }

    void declare() {
        List<NewTopic> topics = new ArrayList<>();
        for (Lane lane : lanes()) {
            topics.add(new NewTopic(lane.id(), PARTITIONS, (short) 1));
            topics.add(new NewTopic(lane.id() + Names.DEAD_SUFFIX, PARTITIONS, (short) 1));
        }
        get(admin.createTopics(topics).all());
    }

    /** Returns the number of a lane's records that its group has not committed. */
    public synchronized long lag(Lane lane) {
        return probe.lag(lane.id(), lane.id());
    }

    /** Returns the keys of all dead letters. */
    public synchronized List<String> deadKeys() {
        return lanes().stream()
                .flatMap(lane -> probe.records(lane.id() + Names.DEAD_SUFFIX).stream())
                .map(dead -> TopicProbe.text(dead, "x-idempotency-key").orElse("?"))
                .toList();
    }

    /** Publishes records with these keys past the intake; returns when all are confirmed. */
    public synchronized void publish(Lane lane, List<String> keys, String body) {
        for (String key : keys) {
            ProducerRecord<byte[], byte[]> message =
                    new ProducerRecord<>(lane.id(), OutsideMessages.bytes(key), OutsideMessages.bytes(body));
            OutsideMessages.headers(key)
                    .forEach((name, value) -> message.headers().add(name, OutsideMessages.bytes(value.toString())));
            probe.publish(message);
        }
    }

    /** Publishes copies of one record to different partitions, so that several consumers receive them at once. */
    public synchronized void publishApart(Lane lane, String key, String body, int copies) {
        for (int copy = 0; copy < copies; copy++) {
            ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(
                    lane.id(), copy % PARTITIONS, OutsideMessages.bytes(key), OutsideMessages.bytes(body));
            OutsideMessages.headers(key)
                    .forEach((name, value) -> message.headers().add(name, OutsideMessages.bytes(value.toString())));
            probe.publish(message);
        }
    }

    /** Waits until a lane's group has no members, and sets it back by this many records in each partition. */
    public void rewind(Lane lane, long records) {
        boolean empty = Waiting.until(
                FORGOTTEN_WITHIN,
                () -> get(admin.describeConsumerGroups(List.of(lane.id())).all()).values().stream()
                        .allMatch(group -> group.members().isEmpty()));
        if (!empty) {
            throw new IllegalStateException("The group " + lane.id() + " has members that do not run any more");
        }
        Map<org.apache.kafka.common.TopicPartition, OffsetAndMetadata> committed =
                get(admin.listConsumerGroupOffsets(lane.id()).partitionsToOffsetAndMetadata());
        get(admin.alterConsumerGroupOffsets(
                        lane.id(),
                        committed.entrySet().stream()
                                .collect(Collectors.toMap(
                                        Map.Entry::getKey,
                                        entry -> new OffsetAndMetadata(
                                                Math.max(0, entry.getValue().offset() - records)))))
                .all());
    }

    private static <T> T get(KafkaFuture<T> answer) {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka refused", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for Kafka", e);
        }
    }

    @Override
    public void close() {
        probe.close();
        admin.close();
    }
}
