package io.idem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.Idempotent;
import io.idem.InboxTransaction;
import io.idem.servers.SharedServers;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Requests whose handlers run a step without a transaction and end in the transaction of their inbox. */
@Tag("extended")
class LastPhaseWebTest {

    private static final int CREATED = 201;
    private static final int UNAVAILABLE = 503;
    private static final int DECLINED = 422;

    private static ConfigurableApplicationContext start(String store) throws SQLException {
        return InboxDatabase.in(SharedServers.postgres())
                .start(
                        WebApplicationType.SERVLET,
                        List.of(Application.class, Orders.class),
                        "idem.http.tenant=single",
                        "idem.http.routes[0].path=/configured",
                        "idem.http.routes[0].inbox=" + store.equals("redis"),
                        "idem.http.routes[0].inbox-transaction=last-phase",
                        "idem.store=" + store,
                        store.equals("redis")
                                ? "spring.data.redis.url="
                                        + SharedServers.redis().uri()
                                : "idem.http.wait-for=0s");
    }

    private static List<String> ledger(ConfigurableApplicationContext application) {
        return application.getBean(JdbcTemplate.class).queryForList("SELECT entry FROM ledger", String.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "inbox"})
    void aRetryGoesOnBehindTheStepAndItsAnswerIsKept(String store) throws Exception {
        try (ConfigurableApplicationContext application = start(store)) {
            HttpCalls http = HttpCalls.of(application);
            Orders orders = application.getBean(Orders.class);

            assertThat(http.order("/orders", "k-1", "later").statusCode()).isEqualTo(UNAVAILABLE);
            assertThat(ledger(application)).isEmpty();
            HttpResponse<String> second = http.order("/orders", "k-1", "later");
            HttpResponse<String> third = http.order("/orders", "k-1", "later");

            assertThat(second.statusCode()).isEqualTo(CREATED);
            assertThat(third.body()).isEqualTo(second.body());
            assertThat(third.headers().firstValue("Idempotency-Replayed")).contains("true");
            assertThat(orders.quotes).as("calls, none in a transaction").containsExactly("later, false");
            assertThat(ledger(application)).containsExactly("later");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "inbox"})
    void aRefusalOfTheDatabaseIsAnsweredAndKept(String store) throws Exception {
        try (ConfigurableApplicationContext application = start(store)) {
            HttpCalls http = HttpCalls.of(application);

            HttpResponse<String> first = http.order("/orders", "k-2", "too much");
            HttpResponse<String> second = http.order("/orders", "k-2", "too much");

            assertThat(first.statusCode()).isEqualTo(DECLINED);
            assertThat(second.body()).isEqualTo(first.body());
            assertThat(ledger(application)).as("rolled back").isEmpty();
        }
    }

    @Test
    void aConfiguredRouteEndsInATransactionToo() throws Exception {
        try (ConfigurableApplicationContext application = start("inbox")) {
            HttpCalls http = HttpCalls.of(application);

            assertThat(http.order("/configured", "k-3", "configured").statusCode())
                    .isEqualTo(CREATED);
            assertThat(http.order("/configured", "k-3", "configured").statusCode())
                    .isEqualTo(CREATED);

            assertThat(application.getBean(Orders.class).quotes).containsExactly("configured, false");
            assertThat(ledger(application)).containsExactly("configured");
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}

    /** Asks for a quote in a step, and writes the order in the last phase. */
    @RestController
    static class Orders {

        private final List<String> quotes = new CopyOnWriteArrayList<>();
        private final JdbcTemplate jdbc;

        Orders(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @PostMapping("/orders")
        @Idempotent(inbox = true, transaction = InboxTransaction.LAST_PHASE)
        ResponseEntity<String> order(@RequestBody String order, IdempotencyContext attempt) {
            return placed(order, attempt);
        }

        @PostMapping("/configured")
        ResponseEntity<String> configured(@RequestBody String order, IdempotencyContext attempt) {
            return placed(order, attempt);
        }

        private ResponseEntity<String> placed(String order, IdempotencyContext attempt) {
            String quote = attempt.step("quote", String.class, step -> {
                quotes.add(order + ", " + TransactionSynchronizationManager.isActualTransactionActive());
                return step.key();
            });
            return attempt.inTransaction(() -> written(order, quote, attempt.attempt()));
        }

        private ResponseEntity<String> written(String order, String quote, int attempt) {
            jdbc.update("INSERT INTO ledger VALUES (?)", order);
            if (order.equals("too much")) {
                throw new IllegalArgumentException("no cover");
            }
            int status = order.equals("later") && attempt == 1 ? UNAVAILABLE : CREATED;
            return ResponseEntity.status(status).body(quote);
        }

        @ExceptionHandler
        ResponseEntity<String> declined(IllegalArgumentException declined) {
            return ResponseEntity.status(DECLINED).body("" + declined.getMessage());
        }
    }
}
