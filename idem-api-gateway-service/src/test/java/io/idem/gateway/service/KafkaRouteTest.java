package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.servers.RunningKafka;
import io.idem.servers.SharedServers;
import io.idem.servers.proxy.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Configured routes to Kafka, on a real broker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
class KafkaRouteTest {

    private static final String PATH = "/v1/payouts";

    private final RunningKafka kafka = SharedServers.kafka();
    private final String topic = "payouts-" + UUID.randomUUID();
    private Intake intake;

    @BeforeAll
    void start() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        }
        intake = Intake.startWithKeys(
                Stream.concat(settings(kafka.bootstrapServers()), Stream.of("idem.gateway.confirm-timeout=10s")));
    }

    private Stream<String> settings(String bootstrapServers) {
        return Stream.of(
                "spring.kafka.bootstrap-servers=" + bootstrapServers,
                "idem.gateway.routes[0].path=" + PATH,
                "idem.gateway.routes[0].topic=" + topic,
                "idem.gateway.routes[1].path=/v1/accounts/{account}/payouts",
                "idem.gateway.routes[1].topic=" + topic,
                "idem.gateway.routes[1].partition-key={account}",
                "idem.gateway.routes[2].path=/v1/nowhere",
                "idem.gateway.routes[2].topic=no such topic",
                "spring.kafka.producer.properties.max.request.size=10000");
    }

    @AfterAll
    void stop() {
        intake.close();
    }

    @Test
    void aConfirmedRequestIsOneRecordUnderTheClientsKey() {
        String key = Intake.newKey();

        assertThat(intake.post(PATH, key).status()).isEqualTo(202);
        assertThat(intake.post(PATH, key).replayed()).isTrue();

        List<ConsumerRecord<String, byte[]>> records = records(key);
        assertThat(records).hasSize(1);
        ConsumerRecord<String, byte[]> record = records.get(0);
        assertThat(new String(record.value(), StandardCharsets.UTF_8)).isEqualTo(Intake.BODY);
        assertThat(record.key()).isEqualTo(key);
        assertThat(header(record, IdempotencyHeaders.TENANT)).isEqualTo("north");
        assertThat(header(record, IdempotencyHeaders.ROOT)).isEqualTo(key);
        assertThat(header(record, "content-type")).isEqualTo("application/json");
    }

    @Test
    void thePartitionKeyMayComeFromThePath() {
        String key = Intake.newKey();

        assertThat(intake.post("/v1/accounts/a-7/payouts", key).status()).isEqualTo(202);

        assertThat(records(key)).extracting(ConsumerRecord::key).containsExactly("a-7");
    }

    @Test
    void whileKafkaIsAwayRequestsGet503AndTheirKeysStayFree() {
        String key = Intake.newKey();
        try (TcpProxy nowhere = TcpProxy.to("127.0.0.1", 1)) {
            nowhere.refuse();
            try (Intake cut = Intake.startWithKeys(Stream.concat(
                    settings(nowhere.host() + ":" + nowhere.port()), Stream.of("idem.gateway.confirm-timeout=1s")))) {
                Intake.Answer refused = cut.post(PATH, key);

                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.header("Retry-After")).isEqualTo("1");
                assertThat(cut.operation(Intake.NORTH, key).body()).contains("\"state\":\"FAILED\"");
                assertThat(readiness(cut)).isEqualTo(503);
            }
        }
    }

    @Test
    void aRecordThatIsTooLargeForKafkaIsNotReportedAsTaken() {
        String key = Intake.newKey();
        String body = "{\"text\":\"" + "x".repeat(20_000) + "\"}";

        Intake.Answer refused = intake.post(PATH, Intake.NORTH, key, body);

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("urn:idem:problem:hand-off-failed");
        assertThat(intake.operation(Intake.NORTH, key).body()).contains("\"state\":\"FAILED\"");
        assertThat(records(key)).isEmpty();
    }

    @Test
    void aTopicThatCannotBeIsNotReportedAsTaken() {
        String key = Intake.newKey();

        Intake.Answer refused = intake.post("/v1/nowhere", key);

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("urn:idem:problem:hand-off-failed").doesNotContain("no such topic");
        assertThat(intake.operation(Intake.NORTH, key).body()).contains("\"state\":\"FAILED\"");
    }

    @Test
    void readinessFollowsKafka() {
        Awaitility.await().until(() -> readiness(intake) == 200);
    }

    private static int readiness(Intake intake) {
        return intake.send(intake.request("/actuator/health/readiness")).status();
    }

    private static String header(ConsumerRecord<String, byte[]> record, String name) {
        return Stream.ofNullable(record.headers().lastHeader(name))
                .map(header -> new String(header.value(), StandardCharsets.UTF_8))
                .findFirst()
                .orElse("none");
    }

    /** Everything in the topic under a key, once something is. */
    private List<ConsumerRecord<String, byte[]>> records(String key) {
        try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringDeserializer(),
                new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = Objects.requireNonNull(
                    consumer.endOffsets(List.of(partition)).get(partition));
            List<ConsumerRecord<String, byte[]>> found = new ArrayList<>();
            Awaitility.await().until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(found::add);
                return consumer.position(partition) >= end;
            });
            found.removeIf(record -> !header(record, IdempotencyHeaders.KEY).equals(key));
            return found;
        }
    }
}
