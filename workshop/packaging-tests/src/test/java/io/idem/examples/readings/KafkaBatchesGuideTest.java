package io.idem.examples.readings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyKey;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.examples.GuidePage;
import io.idem.servers.KafkaServers;
import io.idem.servers.PostgresServers;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningKafka;
import io.idem.servers.RunningPostgres;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin;

/** The service of docs/batches.md, with the settings and the table that stand there. */
@Tag("extended")
class KafkaBatchesGuideTest {

    private static final Duration LONG = Duration.ofMinutes(2);

    private final GuidePage page = GuidePage.of("batches.md").section("Guide: Kafka in batches");

    @Test
    void aReadingThatComesTwiceIsBookedOnceAndABadOneAloneBecomesADeadLetter() throws Exception {
        try (RunningRedis redis = RedisServers.start(ServerOptions.own());
                RunningKafka kafka = KafkaServers.start(ServerOptions.own());
                RunningPostgres postgres = PostgresServers.start(ServerOptions.own());
                ConfigurableApplicationContext application = page.start(
                        Service.class,
                        "idem.jdbc.enabled=false", // the service does not have it, this module does
                        "spring.data.redis.url=" + redis.uri(),
                        "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                        "spring.datasource.url=" + postgres.jdbcUrl(),
                        "spring.datasource.username=" + postgres.user(),
                        "spring.datasource.password=" + postgres.password())) {
            JdbcTemplate jdbc = application.getBean(JdbcTemplate.class);

            send(kafka, Map.of("r-1", 100, "r-2", 200));
            send(kafka, Map.of("r-2", 200));
            send(kafka, Map.of("r-3", -1));
            send(kafka, Map.of("r-4", 400));

            await().atMost(LONG).until(() -> booked(jdbc).contains(id("r-4")));
            assertThat(booked(jdbc)).containsExactlyInAnyOrder(id("r-1"), id("r-2"), id("r-4"));
            assertThat(deadLetters(kafka)) // of one record, though perhaps twice: its confirm may come too late
                    .allSatisfy(letter -> assertThat(letter)
                            .startsWith("{\"meter\":\"m-1\",\"wattHours\":-1} ")
                            .contains("A meter does not run backwards"));
        }
    }

    private static String id(String key) {
        return IdempotencyKey.of(key).id();
    }

    private static void send(RunningKafka kafka, Map<String, Integer> readings) throws Exception {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            for (Map.Entry<String, Integer> reading : readings.entrySet()) {
                ProducerRecord<String, String> record = new ProducerRecord<>(
                        "readings", "{\"meter\":\"m-1\",\"wattHours\":" + reading.getValue() + "}");
                record.headers().add(IdempotencyHeaders.KEY, reading.getKey().getBytes(StandardCharsets.UTF_8));
                producer.send(record).get();
            }
        }
    }

    private static List<String> booked(JdbcTemplate jdbc) {
        return jdbc.queryForList("SELECT key_id FROM readings", String.class);
    }

    /** Their bodies and reasons. */
    private static List<String> deadLetters(RunningKafka kafka) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "group.id",
                "dead-letters",
                "auto.offset.reset",
                "earliest");
        List<String> letters = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of("readings-dlt"));
            await().atMost(LONG).until(() -> {
                consumer.poll(Duration.ofMillis(200))
                        .forEach(record -> Stream.of(record.headers().lastHeader(IdempotencyHeaders.REASON))
                                .map(header -> new String(header.value(), StandardCharsets.UTF_8))
                                .forEach(reason -> letters.add(record.value() + " " + reason)));
                return !letters.isEmpty();
            });
        }
        return letters;
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Messages.class, Billing.class})
    static class Service {

        private final GuidePage page = GuidePage.of("batches.md").section("Guide: Kafka in batches");

        @Bean
        KafkaAdmin.NewTopics topics() {
            return new KafkaAdmin.NewTopics(
                    TopicBuilder.name("readings").partitions(1).build(),
                    TopicBuilder.name("readings-dlt").partitions(1).build());
        }

        /** Before the listener begins. */
        @Bean
        JdbcTemplate tables(DataSource database) {
            JdbcTemplate jdbc = new JdbcTemplate(database);
            page.tables().forEach(jdbc::execute);
            return jdbc;
        }
    }
}
