package io.idem.applications.story;

import static io.idem.applications.story.RunningApplication.awaiting;

import io.idem.servers.SharedServers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.core.NestedExceptionUtils;

/** A topic, a group of the same name, and a dead-letter topic. */
final class KafkaSite implements Site {

    static final String DEAD = "-dlt";
    static final String EVENTS = "-events";

    private static final int PARTITIONS = 2;
    private static final Duration POLL = Duration.ofMillis(100);

    private final String name;
    private final Map<String, Object> address = Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, SharedServers.kafka().bootstrapServers());
    private final KafkaProducer<String, String> producer =
            new KafkaProducer<>(address, new StringSerializer(), new StringSerializer());
    private final Admin admin = Admin.create(address);
    private int published;

    KafkaSite(String name) {
        this.name = name;
        awaiting("a broker that takes topics").until(this::hasTopics);
    }

    /** Creates the topics, unless a busy machine has kept the broker from telling its controller that it is there. */
    private boolean hasTopics() {
        try {
            await(admin.createTopics(List.of(topic(name), topic(name + DEAD), topic(name + EVENTS)))
                    .all());
            return true;
        } catch (IllegalStateException refused) {
            if (NestedExceptionUtils.getMostSpecificCause(refused) instanceof InvalidReplicationFactorException) {
                return false;
            }
            throw refused;
        }
    }

    private static NewTopic topic(String topic) {
        return new NewTopic(topic, PARTITIONS, (short) 1);
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Publishes a message. Copies go to different partitions, so that two consumers may receive them at the same time.
     */
    @Override
    public synchronized void publish(String body, Map<String, String> headers) {
        ProducerRecord<String, String> record = new ProducerRecord<>(name, published++ % PARTITIONS, null, body);
        headers.forEach((header, value) -> record.headers().add(header, value.getBytes(StandardCharsets.UTF_8)));
        try {
            producer.send(record).get();
        } catch (InterruptedException | ExecutionException failed) {
            throw new IllegalStateException("Kafka did not take the record", failed);
        }
    }

    /** Returns the unacknowledged records in the application's topic and in all other topics that its groups read. */
    @Override
    public long unacknowledged() {
        Map<String, Map<TopicPartition, OffsetAndMetadata>> groups = new HashMap<>();
        for (GroupListing group :
                await(admin.listGroups(ListGroupsOptions.forConsumerGroups()).all())) {
            if (group.groupId().startsWith(name)) {
                groups.put(group.groupId(), committed(group.groupId()));
            }
        }
        Map<TopicPartition, OffsetAndMetadata> main = groups.getOrDefault(name, Map.of());
        Map<TopicPartition, OffsetAndMetadata> expected = new HashMap<>();
        IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(name, partition))
                .forEach(partition -> expected.put(partition, main.getOrDefault(partition, new OffsetAndMetadata(0))));
        groups.values().forEach(expected::putAll);
        return lag(expected);
    }

    private long lag(Map<TopicPartition, OffsetAndMetadata> committed) {
        try (KafkaConsumer<String, String> reader = reader()) {
            Map<TopicPartition, Long> ends = reader.endOffsets(committed.keySet());
            return ends.values().stream().mapToLong(end -> end).sum()
                    - committed.values().stream()
                            .mapToLong(OffsetAndMetadata::offset)
                            .sum();
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> committed(String group) {
        return await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    }

    @Override
    public long deadLetters(String body) {
        return bodies(topics().stream().filter(topic -> topic.endsWith(DEAD)).toList()).stream()
                .filter(body::equals)
                .count();
    }

    private Collection<String> bodies(List<String> topics) {
        try (KafkaConsumer<String, String> reader = reader()) {
            Set<TopicPartition> partitions = topics.stream()
                    .flatMap(topic -> reader.partitionsFor(topic).stream())
                    .map(found -> new TopicPartition(found.topic(), found.partition()))
                    .collect(Collectors.toSet());
            Map<TopicPartition, Long> ends = reader.endOffsets(partitions);
            reader.assign(partitions);
            reader.seekToBeginning(partitions);
            List<String> bodies = new ArrayList<>();
            while (ends.entrySet().stream().anyMatch(end -> reader.position(end.getKey()) < end.getValue())) {
                reader.poll(POLL).forEach(record -> bodies.add(record.value()));
            }
            return bodies;
        }
    }

    private KafkaConsumer<String, String> reader() {
        return new KafkaConsumer<>(address, new StringDeserializer(), new StringDeserializer());
    }

    private List<String> topics() {
        return await(admin.listTopics().names()).stream()
                .filter(topic -> topic.startsWith(name))
                .toList();
    }

    private static <T> T await(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException | ExecutionException failed) {
            throw new IllegalStateException("Kafka did not answer", failed);
        }
    }

    @Override
    public void close() {
        admin.deleteTopics(topics());
        producer.close();
        admin.close();
    }
}
