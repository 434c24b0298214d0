package io.idem.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Idempotent;
import io.idem.jdbc.outbox.OutboxRelay;
import io.idem.servers.KafkaServers;
import io.idem.servers.RunningKafka;
import io.idem.servers.ServerOptions;
import io.idem.servers.SharedServers;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A relay of real brokers, of whose rows some have messages that no broker takes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("extended")
class OutboxDestinationsTest {

    private static final int GOOD = 20;

    private final RunningKafka kafka =
            KafkaServers.start(ServerOptions.own().with("auto.create.topics.enable", "false"));
    private InboxDatabase database;
    private ConfigurableApplicationContext application;
    private HttpCalls http;

    @BeforeAll
    void start() throws SQLException {
        database = InboxDatabase.in(SharedServers.postgres());
        application = database.start(
                WebApplicationType.SERVLET,
                List.of(Application.class, Orders.class),
                "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                "idem.http.tenant=single",
                "idem.jdbc.outbox.relay-after=1h");
        http = HttpCalls.of(application);
    }

    @AfterAll
    void stop() {
        application.close();
        kafka.close();
    }

    private JdbcTemplate jdbc() {
        return application.getBean(JdbcTemplate.class);
    }

    private void order(String destination) throws Exception {
        HttpResponse<String> answer = http.order("/orders", UUID.randomUUID().toString(), destination);
        assertThat(answer.statusCode()).isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rabbit no-such-exchange",
                "rabbit no-such-queue",
                "kafka no-such-topic",
                "kafka not-a-topic!",
                "kafka too-large"
            })
    void aRowThatNoBrokerTakesHoldsUpNoneBehindIt(String bad) throws Exception {
        OutboxRelay relay = application.getBean(OutboxRelay.class);
        relay.stop();
        jdbc().update("DELETE FROM idem_record");
        for (int n = 0; n < 3; n++) {
            order(bad);
        }
        for (int n = 0; n < GOOD; n++) {
            order(n % 2 == 0 ? "rabbit good" : "kafka good");
        }
        jdbc().update("UPDATE idem_record SET relay_at = at");

        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
            long unused = relay.relay();
            assertThat(relay.unsent()).isEqualTo(3);
        });
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Queue orders(Environment environment) {
            return new Queue(environment.getRequiredProperty("test.name"));
        }

        @Bean
        NewTopic orderTopic(Environment environment) {
            return new NewTopic(environment.getRequiredProperty("test.name"), 1, (short) 1);
        }
    }

    @RestController
    static class Orders {

        private static final int TOO_LARGE = 2_000_000;

        private final RabbitTemplate rabbit;
        private final KafkaTemplate<Object, Object> kafka;
        private final String good;

        Orders(RabbitTemplate rabbit, KafkaTemplate<Object, Object> kafka, Environment environment) {
            this.rabbit = rabbit;
            this.kafka = kafka;
            this.good = environment.getRequiredProperty("test.name");
        }

        @PostMapping("/orders")
        @Idempotent(inbox = true)
        ResponseEntity<String> order(@RequestBody String destination) {
            switch (destination) {
                case "rabbit good" -> rabbit.convertAndSend("", good, "an order");
                case "rabbit no-such-exchange" -> rabbit.convertAndSend("no-such-exchange", good, "an order");
                case "rabbit no-such-queue" -> rabbit.convertAndSend("", "no-such-queue", "an order");
                case "kafka good" -> send(good, "an order");
                case "kafka too-large" -> send(good, "x".repeat(TOO_LARGE));
                default -> send(destination.substring("kafka ".length()), "an order");
            }
            return ResponseEntity.status(201).body(destination);
        }

        /** The row keeps the record, so that nothing is to be awaited here. */
        private void send(String topic, String text) {
            var unused = kafka.send(topic, text);
        }
    }
}
