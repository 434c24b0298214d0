package io.idem.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyContext;
import io.idem.Idempotent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.servers.SharedServers;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.amqp.core.Message;
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
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Requests to an application whose only store is the inbox of its PostgreSQL, and what it tells its operators. Its
 * annotations do not ask for an inbox.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("extended")
class InboxAloneWebTest {

    private static final int CREATED = 201;
    private static final int ACCEPTED = 202;
    private static final int CONFLICT = 409;
    private static final int MISMATCH = 422;
    private static final int FAILED = 500;

    private InboxDatabase database;
    private ConfigurableApplicationContext application;
    private HttpCalls http;

    @BeforeAll
    void start() throws SQLException {
        database = InboxDatabase.in(SharedServers.postgres());
        application = database.start(
                WebApplicationType.SERVLET,
                List.of(Application.class, Orders.class),
                "idem.http.tenant=single",
                "idem.http.wait-for=0s",
                "management.endpoint.idempotency.access=unrestricted",
                "management.endpoints.web.exposure.include=health,idempotency",
                "management.endpoint.health.show-details=always");
        http = HttpCalls.of(application);
    }

    @AfterAll
    void stop() {
        application.close();
    }

    private List<String> ledger(String entry) {
        return application
                .getBean(JdbcTemplate.class)
                .queryForList("SELECT entry FROM ledger WHERE entry = ?", String.class, entry);
    }

    private HttpResponse<String> act(String action, String key) throws Exception {
        return http.post(
                "/actuator/idempotency",
                "application/json",
                "{\"action\":\"" + action + "\",\"key\":\"" + key
                        + "\",\"scope\":\"http.shop\",\"reason\":\"asked by a test\"}");
    }

    @Test
    void aRetryGetsTheStoredAnswer() throws Exception {
        HttpResponse<String> first = http.order("/orders", "k-replay", "replay");
        HttpResponse<String> second = http.order("/orders", "k-replay", "replay");

        assertThat(first.statusCode()).isEqualTo(CREATED);
        assertThat(second.statusCode()).isEqualTo(CREATED);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Idempotency-Replayed")).contains("true");
        assertThat(ledger("replay")).hasSize(1);
    }

    @Test
    void anotherBodyUnderTheSameKeyIsAMismatch() throws Exception {
        assertThat(http.order("/orders", "k-mismatch", "one").statusCode()).isEqualTo(CREATED);
        assertThat(http.order("/orders", "k-mismatch", "another").statusCode()).isEqualTo(MISMATCH);
        assertThat(ledger("another")).isEmpty();
    }

    @Test
    void aRequestWhileTheFirstIsUnderWayIsAConflict() throws Exception {
        Orders orders = application.getBean(Orders.class);
        CompletableFuture<HttpResponse<String>> first = inBackground(() -> http.order("/orders", "k-slow", "slow"));
        assertThat(orders.slowBegan.await(2, TimeUnit.MINUTES)).isTrue();

        HttpResponse<String> second = http.order("/orders", "k-slow", "slow");
        orders.slowMayEnd.countDown();

        assertThat(second.statusCode()).isEqualTo(CONFLICT);
        assertThat(first.get(2, TimeUnit.MINUTES).statusCode()).isEqualTo(CREATED);
        assertThat(ledger("slow")).hasSize(1);
    }

    private static <T> CompletableFuture<T> inBackground(Callable<T> call) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return call.call();
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        });
    }

    @Test
    void aFailureIsRolledBackAndFreesTheKey() throws Exception {
        assertThat(http.order("/orders", "k-once", "once").statusCode()).isEqualTo(FAILED);
        assertThat(ledger("once")).isEmpty();
        assertThat(http.order("/orders", "k-once", "once").statusCode()).isEqualTo(CREATED);

        assertThat(ledger("once")).hasSize(1);
        assertThat(application.getBean(Orders.class).attempts).containsSubsequence("1 once", "2 once");
    }

    @Test
    void aHandedOffMessageIsSentOnceAfterTheCommit() throws Exception {
        assertThat(http.order("/handed", "k-handed", "handed").statusCode()).isEqualTo(ACCEPTED);
        RabbitTemplate rabbit = application.getBean(RabbitTemplate.class);

        Message message = requireNonNull(rabbit.receive(database.name(), TimeUnit.MINUTES.toMillis(2)));
        assertThat(message.getBody()).asString().contains("handed");
        assertThat(message.getMessageProperties().getHeaders()).containsKey(IdempotencyHeaders.KEY);
        assertThat(http.order("/handed", "k-handed", "handed").statusCode()).isEqualTo(ACCEPTED);
        assertThat(rabbit.receive(database.name(), TimeUnit.SECONDS.toMillis(1)))
                .isNull();
        assertThat(ledger("handed")).hasSize(1);
    }

    @Test
    void anAsynchronousHandlerIsRefusedByName() {
        assertThatThrownBy(() -> database.start(
                                WebApplicationType.SERVLET,
                                List.of(Application.class, LaterOrders.class),
                                "idem.http.tenant=single")
                        .close())
                .hasStackTraceContaining("LaterOrders.order")
                .hasStackTraceContaining("idem.store=inbox");
    }

    @Test
    void theHealthSaysThatTheDatabaseAnswers() throws Exception {
        HttpResponse<String> health = http.get("/actuator/health/idem");

        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body())
                .contains("\"status\":\"UP\"")
                .contains("\"store\":\"UP\"")
                .contains("\"guarding\":true");
    }

    @Test
    void theEndpointShowsAndListsRows() throws Exception {
        assertThat(http.order("/orders", "k-shown", "shown").statusCode()).isEqualTo(CREATED);
        assertThat(http.order("/orders", "k-listed", "always").statusCode()).isEqualTo(FAILED);

        assertThat(http.get("/actuator/idempotency?key=k-shown&tenant=default").body())
                .contains("\"scope\":\"http.shop\"")
                .contains("\"state\":\"completed\"");
        assertThat(http.get("/actuator/idempotency/completed?limit=1000").body())
                .contains("\"state\":\"completed\"")
                .doesNotContain("\"state\":\"failed\"");
        assertThat(http.get("/actuator/idempotency/failed?limit=1000").body()).contains("\"state\":\"failed\"");
        assertThat(http.get("/actuator/idempotency/pending").body()).contains("\"records\":[]");
    }

    @Test
    void anOperatorReleasesAndCompletesFailedWork() throws Exception {
        assertThat(http.order("/orders", "k-always", "always").statusCode()).isEqualTo(FAILED);
        int attempts = application.getBean(Orders.class).attempts.size();

        assertThat(act("release", "k-always").body()).contains("\"found\":\"failed\"", "\"done\":true");
        assertThat(act("complete", "k-always").body()).contains("\"found\":\"failed\"", "\"done\":true");
        assertThat(act("complete", "k-always").body()).contains("\"found\":\"completed\"", "\"done\":false");

        assertThat(http.order("/orders", "k-always", "always").statusCode()).isNotEqualTo(FAILED);
        assertThat(application.getBean(Orders.class).attempts).hasSize(attempts);
    }

    @Test
    void anOperatorCannotReopenWorkThatTookEffect() throws Exception {
        assertThat(http.order("/orders", "k-done", "done").statusCode()).isEqualTo(CREATED);

        assertThat(act("reopen", "k-done").body()).contains("\"found\":\"completed\"", "\"done\":false");
        assertThat(act("release", "k-unknown").body()).contains("\"found\":\"absent\"", "\"done\":false");
    }

    @Test
    void workInTheRowsIsMeteredLikeAnyOther() throws Exception {
        assertThat(http.order("/orders", "k-metered", "metered").statusCode()).isEqualTo(CREATED);
        assertThat(http.order("/orders", "k-metered", "metered").statusCode()).isEqualTo(CREATED);
        MeterRegistry registry = application.getBean(MeterRegistry.class);

        assertThat(registry.get("idem.claims")
                        .tags("scope", "http.shop", "answer", "fresh")
                        .counter()
                        .count())
                .isPositive();
        assertThat(registry.get("idem.claims")
                        .tags("scope", "http.shop", "answer", "replay")
                        .counter()
                        .count())
                .isPositive();
        assertThat(registry.get("idem.settlements")
                        .tags("scope", "http.shop", "state", "completed")
                        .counter()
                        .count())
                .isPositive();
        await().untilAsserted(() -> assertThat(registry.getMeters())
                .extracting(Meter::getId)
                .extracting(Meter.Id::getName)
                .contains("idem.execution", "idem.outbox.unsent", "idem.outbox.oldest"));
        assertThat(registry.get("idem.outbox.unsent")
                        .tag("scope", "http.shop")
                        .gauge()
                        .value())
                .isNotNaN();
    }

    @Test
    void anAnswerOutlivesTheApplication() throws Exception {
        HttpResponse<String> first = http.order("/orders", "k-restart", "restart");
        try (ConfigurableApplicationContext next = database.start(
                WebApplicationType.SERVLET, List.of(Application.class, Orders.class), "idem.http.tenant=single")) {
            HttpResponse<String> second = HttpCalls.of(next).order("/orders", "k-restart", "restart");

            assertThat(second.body()).isEqualTo(first.body());
            assertThat(next.getBean(Orders.class).attempts).isEmpty();
        }
        assertThat(ledger("restart")).hasSize(1);
    }

    /** The application without its handlers. */
    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Queue orders(Environment environment) {
            return new Queue(environment.getRequiredProperty("test.name"), false, false, false);
        }
    }

    /** Writes orders to the ledger, and fails or waits as their text says. */
    @RestController
    static class Orders {

        private static final Duration LONGEST = Duration.ofMinutes(2);

        private final CountDownLatch slowBegan = new CountDownLatch(1);
        private final CountDownLatch slowMayEnd = new CountDownLatch(1);
        private final List<String> attempts = new CopyOnWriteArrayList<>();
        private final JdbcTemplate jdbc;
        private final RabbitTemplate rabbit;
        private final String queue;

        Orders(JdbcTemplate jdbc, RabbitTemplate rabbit, Environment environment) {
            this.jdbc = jdbc;
            this.rabbit = rabbit;
            this.queue = environment.getRequiredProperty("test.name");
        }

        @PostMapping("/orders")
        @Idempotent
        ResponseEntity<String> order(@RequestBody String order, IdempotencyContext context) throws Exception {
            attempts.add(context.attempt() + " " + order);
            jdbc.update("INSERT INTO ledger VALUES (?)", order);
            if (order.equals("always") || (order.equals("once") && context.attempt() == 1)) {
                throw new IllegalStateException("The shop is closed for " + order);
            }
            if (order.equals("slow")) {
                slowBegan.countDown();
                assertThat(slowMayEnd.await(LONGEST.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            }
            return ResponseEntity.status(CREATED).body("order " + UUID.randomUUID());
        }

        @PostMapping("/handed")
        @Idempotent(handOff = true)
        ResponseEntity<String> handOver(@RequestBody String order) {
            jdbc.update("INSERT INTO ledger VALUES (?)", order);
            rabbit.convertAndSend("", queue, order);
            return ResponseEntity.status(ACCEPTED).body("accepted");
        }
    }

    /** Answers after its return. */
    @RestController
    static class LaterOrders {

        @PostMapping("/later")
        @Idempotent
        CompletableFuture<String> order(@RequestBody String order) {
            return CompletableFuture.completedFuture(order);
        }
    }
}
