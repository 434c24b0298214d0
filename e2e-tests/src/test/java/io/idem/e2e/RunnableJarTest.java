package io.idem.e2e;

import static io.idem.workshop.process.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.idem.servers.RunningAmqp;
import io.idem.servers.RunningRedis;
import io.idem.servers.SharedServers;
import io.idem.servers.process.ChildJvm;
import io.idem.servers.process.FreePorts;
import io.idem.workshop.outside.HttpProbe;
import io.idem.workshop.outside.QueueProbe;
import io.idem.workshop.outside.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The runnable jar of the intake, extracted and started as in its Dockerfile, configured by environment variables only.
 */
@Tag("extended")
class RunnableJarTest {

    private static final Path GATEWAY =
            Path.of("..", "idem-api-gateway-service").toAbsolutePath();
    private static final String LAYER = "COPY --from=build /build/layers/";
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private final String routingKey = "payment.requested." + UUID.randomUUID();
    private final int port = FreePorts.next();

    @TempDir
    private Path directory;

    @Test
    void itTakesARequestOnceAndStopsWhenTold() throws Exception {
        Path intake = takenApart(builtJar());
        assertThat(alive(intake)).isFalse();
        RunningAmqp broker = SharedServers.amqp();
        try (QueueProbe queues = new QueueProbe(broker.uri())) {
            String queue = queues.bindCopyOf("amq.direct", routingKey);
            Process service = start(intake, broker, SharedServers.redis());
            try {
                waitUntil("the intake is alive")
                        .atMost(ChildJvm.LONGEST_START)
                        .until(() -> !service.isAlive() || alive(intake));
                takesARequestOnce();
                assertThat(queues.take(queue)).isPresent();
                assertThat(queues.take(queue)).isEmpty();
                service.destroy();
                assertThat(service.waitFor(ChildJvm.LONGEST_START.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
                assertThat(service.exitValue()).as("ended by SIGTERM").isEqualTo(143);
            } finally {
                service.destroyForcibly().waitFor();
            }
        }
    }

    private void takesARequestOnce() {
        HttpProbe probe = new HttpProbe(port);
        Map<String, String> headers = Map.of(
                "Authorization", "Bearer key-of-a-test",
                "Idempotency-Key", UUID.randomUUID().toString(),
                "Content-Type", "application/json");
        Reply first = probe.post("/v1/payments", headers, "{\"amount\":1}");
        Reply second = probe.post("/v1/payments", headers, "{\"amount\":1}");

        assertThat(first.status()).isEqualTo(202);
        assertThat(first.replayed()).isFalse();
        assertThat(second.replayed()).isTrue();
        assertThat(second.text()).isEqualTo(first.text());
        assertThat(probe.post("/v1/payments", Map.of(), "{}").status()).isEqualTo(401);
        assertThat(probe.get("/actuator/env", Map.of()).status()).isEqualTo(401);
    }

    private static Path builtJar() throws IOException {
        try (Stream<Path> files = Files.list(GATEWAY.resolve("target"))) {
            Optional<Path> jar =
                    files.filter(file -> file.toString().endsWith("-exec.jar")).findFirst();
            assumeThat(jar).as("there is a runnable jar after package").isPresent();
            return jar.orElseThrow();
        }
    }

    private Path takenApart(Path jar) throws IOException, InterruptedException {
        Files.copy(jar, directory.resolve("intake.jar"));
        run(directory, JAVA, "-Djarmode=tools", "-jar", "intake.jar", "extract", "--layers", "--destination", "layers");
        Path intake = Files.createDirectory(directory.resolve("intake"));
        for (String line : Files.readAllLines(GATEWAY.resolve("Dockerfile"))) {
            if (line.startsWith(LAYER)) {
                String layer = line.substring(LAYER.length(), line.indexOf('/', LAYER.length()));
                run(directory, "cp", "-r", "layers/" + layer + "/.", "intake");
            }
        }
        Files.copy(GATEWAY.resolve("healthcheck"), intake.resolve("healthcheck"));
        return intake;
    }

    private static void run(Path where, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(where.toFile())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).as(List.of(command).toString()).isZero();
    }

    private boolean alive(Path intake) throws IOException, InterruptedException {
        ProcessBuilder check = new ProcessBuilder("bash", "healthcheck")
                .directory(intake.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        check.environment().put("IDEM_HEALTH_PORT", Integer.toString(port));
        return check.start().waitFor() == 0;
    }

    private Process start(Path intake, RunningAmqp broker, RunningRedis redis) throws IOException {
        Path log = Files.createDirectories(Path.of("target", "e2e-logs")).resolve("runnable-jar.log");
        ProcessBuilder service = new ProcessBuilder(JAVA, "-Xmx256m", "-XX:TieredStopAtLevel=1", "-jar", "intake.jar")
                .directory(intake.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        service.environment().putAll(servers(broker, redis));
        service.environment()
                .putAll(Map.of(
                        "SERVER_PORT", Integer.toString(port),
                        "IDEM_GATEWAY_APIKEYS_0_TENANT", "demo",
                        "IDEM_GATEWAY_APIKEYS_0_KEY", "key-of-a-test",
                        "IDEM_GATEWAY_ROUTES_0_PATH", "/v1/payments",
                        "IDEM_GATEWAY_ROUTES_0_EXCHANGE", "amq.direct",
                        "IDEM_GATEWAY_ROUTES_0_ROUTINGKEY", routingKey));
        redis.password().ifPresent(password -> service.environment().put("SPRING_DATA_REDIS_PASSWORD", password));
        return service.start();
    }

    private static Map<String, String> servers(RunningAmqp broker, RunningRedis redis) {
        return Map.of(
                "SPRING_DATA_REDIS_HOST", redis.host(),
                "SPRING_DATA_REDIS_PORT", Integer.toString(redis.port()),
                "SPRING_RABBITMQ_HOST", broker.host(),
                "SPRING_RABBITMQ_PORT", Integer.toString(broker.port()),
                "SPRING_RABBITMQ_USERNAME", broker.username(),
                "SPRING_RABBITMQ_PASSWORD", broker.password(),
                "SPRING_RABBITMQ_VIRTUALHOST", broker.virtualHost());
    }
}
