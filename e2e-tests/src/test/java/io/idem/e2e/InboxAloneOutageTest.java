package io.idem.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.servers.PostgresServers;
import io.idem.servers.RunningPostgres;
import io.idem.servers.ServerOptions;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** The database stops in which an application has its work and its only store. */
@Tag("extended")
class InboxAloneOutageTest {

    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final int CREATED = 201;
    private static final int UNAVAILABLE = 503;

    @Test
    void healthAndRequestsSayThatTheDatabaseIsAwayAndRecover() throws Exception {
        try (RunningPostgres postgres =
                PostgresServers.start(ServerOptions.own().keepingData())) {
            InboxDatabase database = InboxDatabase.in(postgres);
            try (ConfigurableApplicationContext application = database.start(
                    WebApplicationType.SERVLET,
                    List.of(InboxAloneWebTest.Application.class, InboxAloneWebTest.Orders.class),
                    "idem.http.tenant=single",
                    "spring.datasource.hikari.connection-timeout=2000",
                    "management.endpoint.health.show-details=always")) {
                HttpCalls http = HttpCalls.of(application);
                assertThat(http.order("/orders", "k-before", "before").statusCode())
                        .isEqualTo(CREATED);

                postgres.stop();

                HttpResponse<String> turnedAway = http.order("/orders", "k-down", "down");
                assertThat(turnedAway.statusCode()).isEqualTo(UNAVAILABLE);
                assertThat(turnedAway.headers().firstValue("Retry-After")).isPresent();
                await().atMost(BOUND).untilAsserted(() -> {
                    HttpResponse<String> health = http.get("/actuator/health/idem");
                    assertThat(health.statusCode()).isEqualTo(UNAVAILABLE);
                    assertThat(health.body())
                            .contains("\"status\":\"OUT_OF_SERVICE\"")
                            .contains("\"store\":\"DOWN\"");
                });

                postgres.start();

                await().atMost(BOUND)
                        .untilAsserted(() -> assertThat(
                                        http.get("/actuator/health/idem").body())
                                .contains("\"status\":\"UP\""));
                assertThat(http.order("/orders", "k-down", "down").statusCode()).isEqualTo(CREATED);
                assertThat(http.order("/orders", "k-before", "before").headers().firstValue("Idempotency-Replayed"))
                        .contains("true");
                assertThat(application
                                .getBean(JdbcTemplate.class)
                                .queryForList("SELECT entry FROM ledger", String.class))
                        .containsExactlyInAnyOrder("before", "down");
            }
        }
    }
}
