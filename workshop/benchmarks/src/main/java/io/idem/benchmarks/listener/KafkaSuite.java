package io.idem.benchmarks.listener;

import io.idem.benchmarks.Parts;
import io.idem.benchmarks.Servers;
import io.idem.benchmarks.Suite;
import io.idem.benchmarks.report.Figures;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedisCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Measures Kafka listeners on one partition and one thread; the records are published before the listener starts.
 * Batches are measured again with a Redis Cluster, which is started for them only, and listeners that write a row with a
 * PostgreSQL of their own.
 */
public final class KafkaSuite implements Suite {

    private static final int MANY = 100_000;
    private static final int SOME = 15_000;
    private static final int FEW = 1_500;
    private static final int WARM_UP_SHARE = 2;

    private static final int SECONDS = 73;
    private static final int SECONDS_WITH_INBOX = 30;

    private final Servers servers;
    private final boolean withInbox;
    private final Experience experience = new Experience();

    private KafkaSuite(Servers servers, boolean withInbox) {
        this.servers = servers;
        this.withInbox = withInbox;
    }

    /** Returns the suite of listeners with Redis as the store. */
    public static KafkaSuite withRedis(Servers servers) {
        return new KafkaSuite(servers, false);
    }

    /** Returns the suite of listeners with the inbox alone, whose work writes a row. */
    public static KafkaSuite withInboxAlone(Servers servers) {
        return new KafkaSuite(servers, true);
    }

    @Override
    public String name() {
        return withInbox ? "kafka-inbox" : "kafka";
    }

    @Override
    public int seconds() {
        return withInbox ? SECONDS_WITH_INBOX : SECONDS;
    }

    @Override
    public int enoughRounds() {
        return EVERY_ROUND;
    }

    @Override
    public void round(Figures figures, Random order) throws Exception {
        if (withInbox) {
            onDatabase(figures, order);
        } else {
            onRedis(figures, order);
        }
    }

    private void onRedis(Figures figures, Random order) throws Exception {
        Parts parts = new Parts(order);
        parts.each(onServer(), part -> {
            servers.redis().command("FLUSHALL");
            measure(part, servers.settings(), figures);
        });
        parts.each(List.of(new Cluster("Kafka with a Redis Cluster")), part -> onCluster(figures, order));
        parts.end();
    }

    private static List<Part> onServer() {
        return List.of(
                new Part("Kafka batch of 500: bare", KafkaListeners.BareBatch.class, MANY),
                new Part("Kafka batch of 500: TWO_SETS", KafkaListeners.SetsBatchApplication.class, MANY),
                new Part("Kafka batch of 500: IDEM", KafkaListeners.GuardedBatch.class, MANY),
                new Part("Kafka record: IDEM", KafkaListeners.GuardedRecord.class, SOME),
                new Part("Kafka record, 1 ms: bare", KafkaListeners.BareMillisecond.class, FEW),
                new Part("Kafka record, 1 ms: IDEM", KafkaListeners.GuardedMillisecond.class, FEW));
    }

    private void onCluster(Figures figures, Random order) throws Exception {
        List<Part> all = List.of(
                new Part("Kafka batch of 500, cluster: TWO_SETS", KafkaListeners.SetsBatchApplication.class, MANY),
                new Part("Kafka batch of 500, cluster: IDEM", KafkaListeners.GuardedBatch.class, MANY));
        try (RunningRedisCluster cluster = RedisServers.startCluster(0)) {
            new Parts(order)
                    .each(all, part -> {
                        cluster.nodes().forEach(node -> node.command("FLUSHALL"));
                        measure(part, servers.settings(cluster), figures);
                    })
                    .end();
        }
    }

    private void onDatabase(Figures figures, Random order) throws Exception {
        List<Part> all = List.of(
                new Part("Kafka record, 1 ms and a row: bare", KafkaListeners.BareRow.class, FEW),
                new Part("Kafka record, 1 ms and a row: IDEM", KafkaListeners.GuardedRow.class, FEW));
        try (ListenerDatabase database = new ListenerDatabase()) {
            new Parts(order)
                    .each(all, part -> measure(part, database.settings(servers), figures))
                    .end();
        }
    }

    private void measure(Part part, Map<String, Object> places, Figures figures) throws Exception {
        int warmUp = part.messages() / WARM_UP_SHARE;
        int missing = part.isOfBatches() ? experience.missing(part.name(), warmUp) : 0;
        Meter meter = new Meter(warmUp + missing, part.messages());
        try (KafkaTopic topic = KafkaTopic.create(servers.kafka())) {
            topic.fill(meter.messages());
            try (ConfigurableApplicationContext application =
                    Listening.start(part.listener(), meter, settings(places, topic))) {
                meter.await();
            }
            meter.report(part.name(), figures);
            experience.saw(part.name(), meter.messages());
        }
    }

    private Map<String, Object> settings(Map<String, Object> places, KafkaTopic topic) {
        Map<String, Object> settings = new HashMap<>(places);
        settings.put("spring.kafka.bootstrap-servers", servers.kafka().bootstrapServers());
        settings.put("bench.topic", topic.name());
        settings.put("spring.kafka.consumer.group-id", topic.name());
        settings.put("spring.kafka.consumer.auto-offset-reset", "earliest");
        settings.put("spring.kafka.consumer.max-poll-records", "500");
        return settings;
    }

    private record Part(String name, Class<?> listener, int messages) implements Parts.Part {

        boolean isOfBatches() {
            return messages == MANY;
        }
    }

    private record Cluster(String name) implements Parts.Part {}
}
