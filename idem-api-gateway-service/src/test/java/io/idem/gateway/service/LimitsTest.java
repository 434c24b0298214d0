package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.gateway.IntakeRouter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.function.ServerResponse;

/** An intake that takes two requests an hour of tenant south, any number of tenant north, and two at once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
class LimitsTest {

    private static final String PATH = "/v1/work";
    private static final String SLOW = "/v1/slow";
    private static final String ASYNC = "/v1/async";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private Intake intake;
    private Gates gates;

    @BeforeAll
    void start() {
        intake = Intake.startWithKeys(
                Stream.of(
                        "idem.gateway.limits.tenants.south.requests=2",
                        "idem.gateway.limits.tenants.south.per=1h",
                        "idem.gateway.limits.in-flight=2",
                        "idem.http.max-request-body=1KB"),
                Work.class);
        gates = intake.bean(Gates.class);
    }

    @AfterAll
    void stop() {
        intake.close();
    }

    @Test
    void aTenantThatSendsTooMuchGets429AndItsKeyStaysFree() {
        String key = Intake.newKey();
        String other = Intake.newKey();
        double before = refused("rate");
        assertThat(post(Intake.SOUTH, key).status()).isEqualTo(200);
        assertThat(post(Intake.SOUTH, key).replayed())
                .as("a replay takes a permit")
                .isTrue();

        Intake.Answer refused = post(Intake.SOUTH, other);

        assertThat(refused.status()).isEqualTo(429);
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 1800);
        assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(refused.body()).contains("urn:idem:problem:too-many-requests", "\"retryWithSameKey\":true");
        assertThat(post(Intake.SOUTH, key).status()).as("so would a replay").isEqualTo(429);
        assertThat(intake.operation(Intake.SOUTH, other).status()).isEqualTo(429);
        assertThat(post(Intake.NORTH, other).replayed()).isFalse();
        assertThat(gates.runs(other)).isEqualTo(1);
        assertThat(intake.send(intake.request("/idem/problems.html")).status()).isEqualTo(200);
        assertThat(post("nobody's", other).status()).isEqualTo(401);
        assertThat(refused("rate") - before).isEqualTo(3);
    }

    @Test
    void whileAsManyAreInFlightAsMayBeOthersGet503AndTheirKeysStayFree() {
        String key = Intake.newKey();
        double before = refused("in-flight");
        CompletableFuture<Intake.Answer> slow = inBackground(SLOW);
        Gate first = gates.awaitNext();
        CompletableFuture<Intake.Answer> async = inBackground(ASYNC);
        Gate second = gates.awaitNext();
        assertThat(intake.bean(MeterRegistry.class)
                        .get("idem.gateway.in-flight")
                        .gauge()
                        .value())
                .isEqualTo(2);

        Intake.Answer refused = post(Intake.NORTH, key);

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.body()).contains("urn:idem:problem:overloaded", "\"retryWithSameKey\":true");
        assertThat(gates.runs(key)).isZero();
        assertThat(intake.send(intake.request("/idem/problems.html")).status()).isEqualTo(200);
        assertThat(post("nobody's", key).status()).isEqualTo(401);

        second.open();
        assertThat(async.join().status()).isEqualTo(200);
        await().atMost(PATIENCE).until(() -> post(Intake.NORTH, key).status() == 200);
        first.open();
        assertThat(slow.join().status()).isEqualTo(200);
        assertThat(gates.runs(key)).isEqualTo(1);
        await().atMost(PATIENCE).until(() -> inFlight() == 0);
        assertThat(refused("in-flight")).isGreaterThan(before);
    }

    @Test
    void itsMetersAreThoseThatAreDocumented() throws Exception {
        assertThat(post(Intake.NORTH, Intake.newKey()).status()).isEqualTo(200);

        assertThat(MeterRows.registered(intake.bean(MeterRegistry.class)))
                .hasSizeGreaterThan(2)
                .isEqualTo(MeterRows.documented());
    }

    @Test
    void theDescriptionNamesTheRefusalsOfTheLimitsThatAreSet() {
        String described = intake.send(intake.request("/idem/openapi.json")).body();

        assertThat(described).contains("urn:idem:problem:too-many-requests", "urn:idem:problem:overloaded");
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedWithoutTakingTheKey() {
        String key = Intake.newKey();

        Intake.Answer refused = intake.post(PATH, Intake.NORTH, key, "{\"a\":\"" + "x".repeat(1024) + "\"}");

        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.body()).contains("urn:idem:problem:body-too-large");
        assertThat(intake.operation(Intake.NORTH, key).status()).isEqualTo(404);
    }

    private Intake.Answer post(String apiKey, String key) {
        return intake.post(PATH, apiKey, key, "{}");
    }

    private CompletableFuture<Intake.Answer> inBackground(String path) {
        return CompletableFuture.supplyAsync(() -> intake.post(path, Intake.NORTH, Intake.newKey(), "{}"));
    }

    private double inFlight() {
        return intake.bean(MeterRegistry.class)
                .get("idem.gateway.in-flight")
                .gauge()
                .value();
    }

    private double refused(String limit) {
        return intake.bean(MeterRegistry.class)
                .get("idem.gateway.refused")
                .tag("limit", limit)
                .functionCounter()
                .count();
    }

    /** Where a request waits to be answered. */
    record Gate(CompletableFuture<ServerResponse> answer) {

        void open() {
            answer.complete(ServerResponse.ok().build());
        }
    }

    record Gates(BlockingQueue<Gate> arrivals, BlockingQueue<String> keys) {

        CompletableFuture<ServerResponse> arrive() {
            Gate gate = new Gate(new CompletableFuture<>());
            arrivals.add(gate);
            return gate.answer();
        }

        Gate awaitNext() {
            return await().atMost(PATIENCE).until(arrivals::poll, gate -> gate != null);
        }

        long runs(String key) {
            return keys.stream().filter(key::equals).count();
        }
    }

    /** What a user writes. */
    @Configuration(proxyBeanMethods = false)
    static class Work {

        @Bean
        Gates gates() {
            return new Gates(new LinkedBlockingQueue<>(), new LinkedBlockingQueue<>());
        }

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        IntakeRouter work(Gates gates) {
            return IntakeRouter.create()
                    .POST(PATH, request -> {
                        gates.keys().add(request.key().value());
                        return ServerResponse.ok().body(Map.of("done", true));
                    })
                    .POST(SLOW, request -> gates.arrive().join())
                    .POST(ASYNC, request -> ServerResponse.async(gates.arrive()));
        }
    }
}
