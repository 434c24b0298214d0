package io.idem.examples.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.examples.Failing;
import io.idem.examples.GuidePage;
import io.idem.servers.KafkaServers;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningKafka;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.support.converter.ByteArrayJacksonJsonMessageConverter;

/** The service of the guide in docs/kafka.md with each of its filters, one version after the other over the same topic. */
@Tag("extended")
class RecordFilterGuideTest {

    private static final Duration LONG = Duration.ofMinutes(2);

    private final RunningRedis redis = RedisServers.start(ServerOptions.own());
    private final RunningKafka kafka = KafkaServers.start(ServerOptions.own());

    @AfterEach
    void stopServers() {
        redis.close();
        kafka.close();
    }

    @Test
    void theNewListenerRunsTheOldFiltersLossesAndEarlierNotesStayDone() throws Exception {
        try (ConfigurableApplicationContext before = start(Before.class)) {
            Failing warehouse = before.getBean(Failing.class);

            send("o-1", "done");
            send("o-2", "fails");
            send("o-3", "behind it");

            await().atMost(LONG).until(() -> warehouse.shipped().contains("behind it"));
            assertThat(warehouse.failed()).containsExactly("fails");
            assertThat(warehouse.shipped()).as("what failed is lost").containsExactly("done", "behind it");
        }
        try (ConfigurableApplicationContext between = start(Between.class)) {
            Failing warehouse = between.getBean(Failing.class);

            send("o-1", "done");
            send("o-2", "lost before, and noted");
            send("o-4", "fails");
            send("o-4", "fails");
            send("o-5", "behind it");

            await().atMost(LONG).until(() -> warehouse.shipped().contains("behind it"));
            assertThat(warehouse.failed()).containsExactly("fails");
            assertThat(warehouse.shipped()).containsExactly("fails", "behind it");
            assertThat(redis.command("EXISTS", "seen:o-4")).isEqualTo("0");

            redis.command("DEL", "seen:o-2");
            send("o-2", "found missing");

            await().atMost(LONG).until(() -> warehouse.shipped().contains("found missing"));
        }
        redis.command("DEL", "seen:o-1", "seen:o-3");
        try (ConfigurableApplicationContext after = start(After.class)) {
            Failing warehouse = after.getBean(Failing.class);

            send("o-4", "came again");
            send("o-6", "behind it");

            await().atMost(LONG).until(() -> warehouse.shipped().contains("behind it"));
            assertThat(warehouse.shipped()).containsExactly("behind it");
        }
    }

    @Test
    void aFilterThatWritesLosesRecordsAlsoBeforeAnIdempotentListener() throws Exception {
        try (ConfigurableApplicationContext mixed = start(Mixed.class)) {
            Failing warehouse = mixed.getBean(Failing.class);

            send("o-1", "fails");
            send("o-2", "behind it");

            await().atMost(LONG).until(() -> warehouse.shipped().contains("behind it"));
            assertThat(warehouse.failed()).containsExactly("fails");
            assertThat(warehouse.shipped()).containsExactly("behind it");
        }
    }

    private ConfigurableApplicationContext start(Class<?> service) {
        return GuidePage.of("kafka.md")
                .section("Guide: from RecordFilterStrategy")
                .start(
                        service,
                        "idem.jdbc.enabled=false", // the service has no database, this module has the libraries
                        "spring.autoconfigure.exclude=" + DataSourceAutoConfiguration.class.getName(),
                        "spring.application.name=shipping",
                        "spring.data.redis.url=" + redis.uri(),
                        "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                        "spring.kafka.consumer.auto-offset-reset=earliest",
                        "spring.kafka.consumer.value-deserializer=" + ByteArrayDeserializer.class.getName(),
                        "idem.consumer.retention=7d");
    }

    private void send(String key, String item) throws Exception {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            producer.send(new ProducerRecord<>("orders", key, "{\"item\":\"" + item + "\"}"))
                    .get();
        }
    }

    /** The listener as it was. */
    static class ShippingBefore {

        private final Warehouse warehouse;

        ShippingBefore(Warehouse warehouse) {
            this.warehouse = warehouse;
        }

        @KafkaListener(topics = "orders", groupId = "shipping")
        void ship(Order order) {
            warehouse.ship(order);
        }
    }

    @Import({FilterBefore.class, ShippingBefore.class})
    static class Before extends Service {}

    @Import({FilterBetween.class, Shipping.class})
    static class Between extends Service {}

    @Import(Shipping.class)
    static class After extends Service {}

    @Import({FilterBefore.class, Shipping.class})
    static class Mixed extends Service {}

    @SpringBootConfiguration
    @EnableAutoConfiguration
    abstract static class Service {

        @Bean
        Failing failing() {
            return new Failing();
        }

        @Bean
        Warehouse warehouse(Failing failing) {
            return order -> failing.ship(order.item());
        }

        @Bean
        ByteArrayJacksonJsonMessageConverter json() {
            return new ByteArrayJacksonJsonMessageConverter();
        }

        @Bean
        KafkaAdmin.NewTopics topics() {
            return new KafkaAdmin.NewTopics(
                    TopicBuilder.name("orders").partitions(1).build());
        }
    }
}
