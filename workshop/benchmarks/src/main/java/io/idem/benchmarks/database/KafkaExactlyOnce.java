package io.idem.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;
import io.idem.benchmarks.listener.KafkaTopic;
import io.idem.servers.RunningKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Kafka's exactly-once processing as its documentation shows it: consume, produce and send the offsets in one
 * transaction for each poll. Its effect is a record in Kafka, not a row. The records that it consumes are made between
 * slices and cost it nothing.
 */
final class KafkaExactlyOnce implements Way {

    private static final int READY = 50_000;
    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaTopic in;
    private final KafkaTopic out;
    private final KafkaConsumer<String, String> consumer;
    private final KafkaProducer<String, String> producer;
    private long made;
    private long handled;

    KafkaExactlyOnce(RunningKafka kafka) throws Exception {
        in = KafkaTopic.create(kafka);
        out = KafkaTopic.create(kafka);
        consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", kafka.bootstrapServers(),
                        "group.id", in.name(),
                        "isolation.level", "read_committed",
                        "enable.auto.commit", "false",
                        "auto.offset.reset", "earliest"),
                new StringDeserializer(),
                new StringDeserializer());
        consumer.subscribe(List.of(in.name()));
        producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "transactional.id",
                        UUID.randomUUID().toString()),
                new StringSerializer(),
                new StringSerializer());
        producer.initTransactions();
    }

    @Override
    public void prepare() throws Exception {
        if (made - handled < READY) {
            in.fill(READY);
            made += READY;
        }
    }

    @Override
    public void run(long deadline) {
        long before = handled;
        while (System.nanoTime() < deadline || handled == before) {
            ConsumerRecords<String, String> records = consumer.poll(POLL);
            if (!records.isEmpty()) {
                handled += handle(records);
            }
        }
    }

    @Override
    public long handled() {
        return handled;
    }

    /** Returns the number of records. The commit fails if a record could not be sent. */
    private int handle(ConsumerRecords<String, String> records) {
        producer.beginTransaction();
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        records.forEach(
                record -> sent.add(producer.send(new ProducerRecord<>(out.name(), record.key(), record.value()))));
        producer.sendOffsetsToTransaction(offsets(records), consumer.groupMetadata());
        producer.commitTransaction();
        return sent.size();
    }

    private static Map<TopicPartition, OffsetAndMetadata> offsets(ConsumerRecords<String, String> records) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (TopicPartition partition : records.partitions()) {
            List<ConsumerRecord<String, String>> all = records.records(partition);
            offsets.put(partition, new OffsetAndMetadata(all.get(all.size() - 1).offset() + 1));
        }
        return offsets;
    }

    @Override
    public List<HikariDataSource> pools() {
        return List.of();
    }

    @Override
    public void close() {
        consumer.close();
        producer.close();
        in.close();
        out.close();
    }
}
