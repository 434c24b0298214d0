package io.idem.e2e.instances;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.servers.KafkaServers;
import io.idem.servers.RunningKafka;
import io.idem.servers.ServerOptions;
import io.idem.servers.proxy.TcpProxy;
import io.idem.workshop.outside.TopicProbe;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin;

/** A topic of a Kafka that advertises the address of the proxy. All tests of the JVM share the server. */
public final class KafkaBroker implements Broker {

    private static final int PARTITIONS = 6;

    private final Server server = Server.SHARED;
    private final TopicProbe probe = new TopicProbe(server.kafka.bootstrapServers());
    private final Random partitions = new Random(18);
    private final String topic = "instances-" + UUID.randomUUID();

    @Override
    public Class<?> listener() {
        return Listener.class;
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("test.name", topic);
        settings.put("spring.kafka.bootstrap-servers", server.proxy.host() + ":" + server.proxy.port());
        settings.put("spring.kafka.consumer.group-id", topic);
        settings.put("spring.kafka.consumer.auto-offset-reset", "earliest");
        settings.put("spring.kafka.consumer.max-poll-records", 50);
        settings.put("spring.kafka.consumer.fetch-max-wait", "20ms");
        // The shortest timeout allowed by default, after which a member that left without notice is removed.
        settings.put("spring.kafka.consumer.properties[session.timeout.ms]", "6000");
        settings.put("spring.kafka.consumer.heartbeat-interval", "500ms");
        settings.put("spring.kafka.listener.concurrency", 2);
        return settings;
    }

    @Override
    public void publish(String key) {
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(
                topic, partitions.nextInt(PARTITIONS), null, "{}".getBytes(StandardCharsets.UTF_8));
        message.headers().add(IdempotencyHeaders.KEY, key.getBytes(StandardCharsets.UTF_8));
        probe.publish(message);
    }

    @Override
    public long left() {
        return probe.lag(topic, topic);
    }

    @Override
    public TcpProxy proxy() {
        return server.proxy;
    }

    @Override
    public void close() {
        probe.close();
    }

    private static final class Server {

        private static final Server SHARED = new Server();

        private @Nullable TcpProxy door;
        private final RunningKafka kafka = KafkaServers.startBehind(ServerOptions.own(), this::open);
        private final TcpProxy proxy = Objects.requireNonNull(door);

        private String open(int port) {
            TcpProxy opened = TcpProxy.to("127.0.0.1", port);
            door = opened;
            return opened.host() + ":" + opened.port();
        }
    }

    static class Listener {

        private final Payments payments;
        private final int instance;

        Listener(Payments payments, @Value("${test.instance}") int instance) {
            this.payments = payments;
            this.instance = instance;
        }

        @Bean
        static KafkaAdmin.NewTopics topics(@Value("${test.name}") String name) {
            return new KafkaAdmin.NewTopics(
                    TopicBuilder.name(name).partitions(PARTITIONS).build());
        }

        @KafkaListener(topics = "${test.name}")
        @IdempotentListener(scope = "instances")
        public void on(String body, IdempotencyContext attempt) {
            payments.pay(instance, attempt.key().value());
        }
    }
}
