package io.idem.examples.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyKey;
import io.idem.examples.GuidePage;
import io.idem.jdbc.outbox.OutboxRelay;
import io.idem.servers.AmqpServers;
import io.idem.servers.PostgresServers;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningAmqp;
import io.idem.servers.RunningPostgres;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

/** The service of docs/inbox-outbox.md, with the settings and the table that stand there, and a warehouse behind it. */
@Tag("extended")
class OutboxGuideTest {

    private final RunningRedis redis = RedisServers.start(ServerOptions.own());
    private final RunningAmqp broker = AmqpServers.start(ServerOptions.own());
    private final RunningPostgres postgres = PostgresServers.start(ServerOptions.own());
    private final ConfigurableApplicationContext application = GuidePage.of("inbox-outbox.md")
            .section("Guide: database and message in one commit")
            .serve(
                    Service.class,
                    "idem.jdbc.initialize-schema=always", // in place of migrations
                    "idem.jdbc.outbox.relay-after=1s", // a minute there
                    "spring.data.redis.url=" + redis.uri(),
                    "spring.rabbitmq.host=" + broker.host(),
                    "spring.rabbitmq.port=" + broker.port(),
                    "spring.rabbitmq.username=" + broker.username(),
                    "spring.rabbitmq.password=" + broker.password(),
                    "spring.rabbitmq.virtual-host=" + broker.virtualHost(),
                    "spring.datasource.url=" + postgres.jdbcUrl(),
                    "spring.datasource.username=" + postgres.user(),
                    "spring.datasource.password=" + postgres.password());
    private final Warehouse warehouse = application.getBean(Warehouse.class);

    @BeforeEach
    void bePatient() {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
    }

    @AfterEach
    void end() {
        Awaitility.reset();
        application.close();
        postgres.close();
        broker.close();
        redis.close();
    }

    @Test
    void whatCommitsIsAnsweredAlikeAndShippedOnceAndWhatDoesNotLeavesNothing() throws Exception {
        HttpResponse<String> first = order("try-1", "{\"item\":\"lamp\",\"quantity\":1}");
        HttpResponse<String> second = order("try-1", "{\"item\":\"lamp\",\"quantity\":1}");

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.body()).contains(id("try-1"));
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(order("try-1", "{\"item\":\"lamp\",\"quantity\":2}").statusCode())
                .isEqualTo(422);

        application.getBean(Faults.class).failOnce();
        assertThat(order("try-2", "{\"item\":\"desk\",\"quantity\":1}").statusCode())
                .isEqualTo(500);
        assertThat(ordered()).containsExactly(id("try-1"));
        assertThat(order("try-2", "{\"item\":\"desk\",\"quantity\":1}").statusCode())
                .isEqualTo(201);

        assertThat(order("try-3", "{\"item\":\"none\",\"quantity\":0}").statusCode())
                .isEqualTo(422);
        assertThat(order("try-3", "{\"item\":\"none\",\"quantity\":0}")
                        .headers()
                        .firstValue("Idempotency-Replayed"))
                .hasValue("true");

        redis.command("DEL", "idem:{" + id("try-1") + "}:http.shop");
        assertThat(order("try-1", "{\"item\":\"lamp\",\"quantity\":1}").body()).isEqualTo(first.body());

        broker.stop();
        assertThat(order("try-4", "{\"item\":\"sofa\",\"quantity\":1}").statusCode())
                .isEqualTo(201);
        broker.start();

        await().until(() -> warehouse.shipped().containsAll(Set.of(id("try-1"), id("try-2"), id("try-4"))));
        await().until(() -> application.getBean(OutboxRelay.class).unsent() == 0);
        assertThat(warehouse.shipped()).containsExactlyInAnyOrder(id("try-1"), id("try-2"), id("try-4"));
        assertThat(ordered()).containsExactlyInAnyOrder(id("try-1"), id("try-2"), id("try-4"));

        redis.stop();
        assertThat(order("try-5", "{\"item\":\"vase\",\"quantity\":1}").statusCode())
                .isEqualTo(503);
        assertThat(ordered()).hasSize(3);
    }

    private HttpResponse<String> order(String key, String body) throws IOException, InterruptedException {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/v1/orders"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", '"' + key + '"')
                .POST(BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    private static String id(String key) {
        return IdempotencyKey.of(key).id();
    }

    private List<String> ordered() {
        return application.getBean(JdbcTemplate.class).queryForList("SELECT id FROM orders", String.class);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Messages.class, Orders.class, Faults.class, Warehouse.class})
    static class Service {

        /** Before the first request. */
        @Bean
        JdbcTemplate tables(DataSource database) {
            JdbcTemplate jdbc = new JdbcTemplate(database);
            GuidePage.of("inbox-outbox.md")
                    .section("Guide: database and message in one commit")
                    .tables()
                    .forEach(jdbc::execute);
            return jdbc;
        }
    }
}
