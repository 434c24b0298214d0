package io.idem.benchmarks.listener;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.servers.RunningKafka;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A topic with one partition for one measurement; closing it deletes it.
 *
 * @param kafka the client settings with the address of the broker
 */
public record KafkaTopic(String name, Admin admin, Map<String, Object> kafka) implements AutoCloseable {

    private static final String PAYLOAD = "x".repeat(200);

    /** Creates a topic with a random name. */
    public static KafkaTopic create(RunningKafka broker) throws Exception {
        Map<String, Object> kafka = Map.of("bootstrap.servers", broker.bootstrapServers());
        KafkaTopic topic = new KafkaTopic("bench-" + UUID.randomUUID(), Admin.create(kafka), kafka);
        topic.admin
                .createTopics(List.of(new NewTopic(topic.name, 1, (short) 1)))
                .all()
                .get();
        return topic;
    }

    /** Publishes messages; returns when the broker has confirmed all of them. */
    public void fill(int messages) throws Exception {
        String series = UUID.randomUUID().toString();
        List<Future<RecordMetadata>> futures = new ArrayList<>(messages);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(kafka, new StringSerializer(), new StringSerializer())) {
            IntStream.range(0, messages).forEach(number -> futures.add(producer.send(message(series + number))));
            producer.flush();
            for (Future<RecordMetadata> future : futures) {
                future.get();
            }
        }
    }

    private ProducerRecord<String, String> message(String key) {
        ProducerRecord<String, String> message = new ProducerRecord<>(name, 0, null, PAYLOAD);
        message.headers().add(IdempotencyHeaders.KEY, key.getBytes(StandardCharsets.UTF_8));
        return message;
    }

    /** Deletes the topic, and waits until that is done. */
    @Override
    public void close() {
        try (admin) {
            admin.deleteTopics(List.of(name)).all().get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("The topic " + name + " could not be deleted", failed);
        }
    }
}
