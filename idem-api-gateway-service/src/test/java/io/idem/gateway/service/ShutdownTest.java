package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.servers.SharedServers;
import io.idem.servers.process.ChildJvm;
import io.idem.servers.process.FreePorts;
import io.idem.servers.proxy.TcpProxy;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The service as a process of its own, with Redis, that is told to end. */
@Tag("extended")
class ShutdownTest {

    private static final String PATH = "/v1/payments";
    private static final int TERMINATED = 128 + 15;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Broker broker = new Broker();
    private final TcpProxy proxy =
            TcpProxy.to(broker.server().host(), broker.server().port());
    private final int port = FreePorts.next();
    private ChildJvm service;

    @BeforeEach
    void start() {
        broker.bind(Broker.PAYMENTS);
        service = ChildJvm.of(GatewayApplication.class.getName())
                .named("intake")
                .jvmArguments("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .arguments(settings().map(setting -> "--" + setting).toArray(String[]::new))
                .start();
        await().atMost(Duration.ofMinutes(10))
                .until(() -> !service.isAlive() || status("/actuator/health/readiness") == 200);
    }

    private Stream<String> settings() {
        return Stream.of(
                        broker.settings(proxy.host(), proxy.port()),
                        broker.route(0, PATH, Broker.PAYMENTS),
                        Stream.of(
                                "server.address=127.0.0.1",
                                "server.port=" + port,
                                "spring.data.redis.url=" + SharedServers.redis().uri(),
                                "idem.gateway.api-keys[0].tenant=north",
                                "idem.gateway.api-keys[0].key=" + Intake.NORTH,
                                "idem.gateway.confirm-timeout=15s",
                                "idem.gateway.max-wait=1m",
                                "idem.gateway.routes[0].await=payments"))
                .flatMap(part -> part);
    }

    @AfterEach
    void stop() {
        proxy.pass();
        service.close();
        proxy.close();
        broker.close();
    }

    @Test
    void requestsInFlightAreAnsweredAfterSigterm() {
        String awaited = Intake.newKey();
        assertThat(post(awaited).join().statusCode()).isEqualTo(202);
        await().until(() -> broker.next(Broker.PAYMENTS) != null);
        CompletableFuture<HttpResponse<String>> waiting = http.sendAsync(
                request("/v1/operations/" + awaited).header("Prefer", "wait=60").build(), BodyHandlers.ofString());
        proxy.blackHole();
        String key = Intake.newKey();
        CompletableFuture<HttpResponse<String>> inFlight = post(key);
        await().until(() -> status("/v1/operations/" + key) == 200);

        assertThat(waiting).isNotDone();
        service.process().signal("TERM");

        assertThat(waiting.join().statusCode()).isEqualTo(200);
        assertThat(service.isAlive()).isTrue();
        assertThat(inFlight).isNotDone();
        proxy.pass();
        assertThat(inFlight.join().statusCode()).isEqualTo(202);
        assertThat(broker.next(Broker.PAYMENTS)).isNotNull();
        assertThat(service.onExit().join()).isEqualTo(TERMINATED);
    }

    private CompletableFuture<HttpResponse<String>> post(String key) {
        return http.sendAsync(
                request(PATH)
                        .header("Idempotency-Key", key)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(Intake.BODY))
                        .build(),
                BodyHandlers.ofString());
    }

    private int status(String path) throws InterruptedException {
        try {
            return http.send(request(path).build(), BodyHandlers.ofString()).statusCode();
        } catch (IOException notYet) {
            return 0;
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", "Bearer " + Intake.NORTH)
                .timeout(Duration.ofMinutes(1));
    }
}
