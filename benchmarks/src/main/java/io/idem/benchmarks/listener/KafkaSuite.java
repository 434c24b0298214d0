package io.idem.benchmarks.listener;

import io.idem.benchmarks.Servers;
import io.idem.benchmarks.Suite;
import io.idem.benchmarks.report.Figures;
import io.idem.consumer.IdempotencyHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.context.ConfigurableApplicationContext;

/** Kafka listeners on one partition and one thread: the records are there before the listener starts. */
public final class KafkaSuite implements Suite {

    private static final int MANY = 100_000;
    private static final int SOME = 15_000;
    private static final int FEW = 1_500;
    /** Compiled code is measured: a batch is so fast that few messages would be over before it is. */
    private static final int WARM_UP_SHARE = 2;

    private static final String PAYLOAD = "x".repeat(200);

    private static final int SECONDS = 42;

    private final Servers servers;

    /** A suite. */
    public KafkaSuite(Servers servers) {
        this.servers = servers;
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public int seconds() {
        return SECONDS;
    }

    @Override
    public void round(Figures figures, Random order) throws Exception {
        List<Part> parts = Arrays.asList(
                new Part("Kafka batch of 500: bare", KafkaListeners.BareBatch.class, MANY),
                new Part("Kafka batch of 500: TWO_SETS", KafkaListeners.SetsBatchApplication.class, MANY),
                new Part("Kafka batch of 500: IDEM", KafkaListeners.GuardedBatch.class, MANY),
                new Part("Kafka record: IDEM", KafkaListeners.GuardedRecord.class, SOME),
                new Part("Kafka record, 1 ms: bare", KafkaListeners.BareMillisecond.class, FEW),
                new Part("Kafka record, 1 ms: IDEM", KafkaListeners.GuardedMillisecond.class, FEW));
        Collections.shuffle(parts, order);
        for (Part part : parts) {
            servers.redis().command("FLUSHALL");
            measure(part, figures);
        }
    }

    private void measure(Part part, Figures figures) throws Exception {
        Meter meter = new Meter(part.messages() / WARM_UP_SHARE, part.messages());
        String topic = "bench-" + UUID.randomUUID();
        Map<String, Object> kafka = Map.of("bootstrap.servers", servers.kafka().bootstrapServers());
        try (Admin admin = Admin.create(kafka)) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
            send(topic, meter.messages(), kafka);
            try (ConfigurableApplicationContext application =
                    Listening.start(part.listener(), meter, settings(topic))) {
                meter.report(part.name(), figures);
            } finally {
                admin.deleteTopics(List.of(topic)).all().get();
            }
        }
    }

    private static void send(String topic, int messages, Map<String, Object> kafka) throws Exception {
        String series = UUID.randomUUID().toString();
        List<Future<RecordMetadata>> futures = new ArrayList<>(messages);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(kafka, new StringSerializer(), new StringSerializer())) {
            IntStream.range(0, messages).forEach(number -> {
                ProducerRecord<String, String> record = new ProducerRecord<>(topic, 0, null, PAYLOAD);
                record.headers().add(IdempotencyHeaders.KEY, (series + number).getBytes(StandardCharsets.UTF_8));
                futures.add(producer.send(record));
            });
            producer.flush();
            for (Future<RecordMetadata> future : futures) {
                future.get();
            }
        }
    }

    private Map<String, Object> settings(String topic) {
        Map<String, Object> settings = new HashMap<>(servers.settings());
        settings.put("bench.topic", topic);
        settings.put("spring.kafka.consumer.group-id", topic);
        settings.put("spring.kafka.consumer.auto-offset-reset", "earliest");
        settings.put("spring.kafka.consumer.max-poll-records", "500");
        return settings;
    }

    private record Part(String name, Class<?> listener, int messages) {}
}
