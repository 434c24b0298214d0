package io.idem.http.clients;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.http.contract.App;
import io.idem.http.contract.Client;
import io.idem.http.contract.FaultyStore;
import io.idem.http.contract.Runs;
import io.idem.servers.junit.RequiresHttpClients;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** {@code docs/reports/http-clients.md} says what users of clients see whose first request is still running when they give it up. */
@Tag("extended")
@RequiresHttpClients
class ForeignClientsTest {

    private static final Path PAGE = Path.of("..", "docs", "reports", "http-clients.md");
    private static final String WRITE = "clients.write";
    private static final Duration PATIENCE = Duration.ofMillis(600);

    /** The column and what it sets. */
    private static final Map<String, String> SETTINGS = settings();

    private static Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("409 at once, the default", "idem.http.wait-for=0s");
        settings.put("`wait-for: 10s`", "idem.http.wait-for=10s");
        settings.put("`in-progress-status: 503`", "idem.http.in-progress-status=503");
        return settings;
    }

    @Test
    void thePageSaysWhatUsersOfEachClientSee() throws IOException, InterruptedException {
        Map<String, StringBuilder> rows = new LinkedHashMap<>();
        for (String setting : SETTINGS.values()) {
            try (App app = start(setting);
                    RetryingProxy proxy = RetryingProxy.before(app)) {
                app.client().post("/payments", Client.newKey());
                for (ForeignClient client : ForeignClient.values()) {
                    URI server = client == ForeignClient.NGINX ? proxy.uri() : app.uri("");
                    note(
                            rows,
                            app,
                            client.title() + " | " + client.retries(),
                            key -> client.send(server.toString(), key));
                }
                for (JavaClients client : JavaClients.values()) {
                    note(rows, app, client.title() + " | " + client.retries(), key -> {
                        int status =
                                client.post(app.uri("/payments"), key, PATIENCE).status();
                        return status == 0 ? "error" : Integer.toString(status);
                    });
                }
            }
        }
        String page = page(rows);
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(PAGE, page);
        }

        assertThat(Files.readString(PAGE))
                .as(
                        "docs/reports/http-clients.md is not what the clients show. Write it anew with: eval \"$(.ci/http-clients env)\";"
                                + " mvn -Pextended -pl idem-http -am test -Dtest=ForeignClientsTest"
                                + " -Dsurefire.failIfNoSpecifiedTests=false -D%s",
                        WRITE)
                .isEqualTo(page);
    }

    /** Sends one request as a client, and adds to its row what its user saw. */
    private static void note(Map<String, StringBuilder> rows, App app, String client, Sending sending)
            throws IOException, InterruptedException {
        String key = Client.newKey();
        String seen = sending.send(key);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> app.bean(Payments.class).ended(key));
        assertThat(app.bean(Runs.class).of(key)).as("effects of %s", client).isEqualTo(1);
        rows.computeIfAbsent(client, row -> new StringBuilder(row))
                .append(" | ")
                .append(seen.startsWith("2") ? "the answer" : seen);
    }

    @FunctionalInterface
    private interface Sending {

        String send(String key) throws IOException, InterruptedException;
    }

    private static App start(String setting) {
        return App.start(
                WebApplicationType.SERVLET,
                Shop.class,
                "idem.http.tenant=SINGLE",
                "idem.http.routes[0].path=/**",
                setting);
    }

    private static String page(Map<String, StringBuilder> rows) {
        String header = String.join(" | ", SETTINGS.keySet());
        return """
                # HTTP clients

                What the user of a client sees when a protected handler takes longer than the client waits. A test writes this page.

                The handler takes 2.5 s. The client gives a request up after 0.6 s and sends it again with the same key, five times at
                most. A status is one that the user gets and nobody repeats; after "error" the client reported a time-out. In each case
                the handler ran once, and a later request with the key gets its answer. What each choice means:
                [Duplicates of a running request](../http.md#duplicates-of-a-running-request).

                """
                + "| client | what it repeats | " + header + " |\n"
                + "| --- | --- |" + " --- |".repeat(SETTINGS.size()) + "\n"
                + rows.values().stream().map(row -> "| " + row + " |\n").collect(joining());
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(Payments.class)
    static class Shop {

        @Bean
        SecurityFilterChain open(HttpSecurity http) throws Exception {
            return http.csrf(CsrfConfigurer::disable)
                    .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }

        @Bean
        FaultyStore store() {
            return new FaultyStore();
        }

        @Bean
        Runs runs() {
            return new Runs();
        }
    }

    @RestController
    static class Payments {

        private static final int MILLIS = 2_500;

        private final Runs runs;
        private final Set<String> ended = ConcurrentHashMap.newKeySet();

        Payments(Runs runs) {
            this.runs = runs;
        }

        boolean ended(String key) {
            return ended.contains(key);
        }

        /** Takes its time, longer than its clients wait, in the addresses that they use. */
        @PostMapping({"/payments", "/v1/payment_intents", "/v2/payments"})
        ResponseEntity<String> pay(@RequestHeader(Client.KEY) String key) throws InterruptedException {
            runs.enter(key);
            TimeUnit.MILLISECONDS.sleep(MILLIS);
            ended.add(key);
            return ResponseEntity.status(HttpStatus.CREATED)
                    .contentType(MediaType.APPLICATION_JSON)
                    .body("{\"id\":\"pi_1\",\"object\":\"payment_intent\"}");
        }
    }
}
