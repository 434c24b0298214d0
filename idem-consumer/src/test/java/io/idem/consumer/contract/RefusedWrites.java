package io.idem.consumer.contract;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.contract.ContractConfiguration.CollectedEvents;
import io.idem.servers.RunningRedis;
import io.idem.spi.IdempotencyStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A Redis that answers what is read and refuses what is written, and what an application says of that time. */
public final class RefusedWrites implements AutoCloseable {

    /** Looks at the gauge: more than scrapes see of an outage of minutes. */
    private static final int LOOKS = 12;

    private final RunningRedis redis;
    private final ConsumerApplication application;
    private final String transport;
    private final List<Double> gauge = new CopyOnWriteArrayList<>();
    private final LoggedLines lines = new LoggedLines();

    public RefusedWrites(RunningRedis redis, ConsumerApplication application, String transport) {
        this.redis = redis;
        this.application = application;
        this.transport = transport;
    }

    /** Redis accepts everything, whatever a test did to it. */
    public static void end(RunningRedis redis) {
        redis.command("CONFIG", "SET", "maxmemory", "0");
        redis.command("CONFIG", "SET", "min-replicas-to-write", "0");
        redis.command("REPLICAOF", "NO", "ONE");
        redis.command("ACL", "SETUSER", "default", "+@all");
    }

    /** Waits until work is recorded as done: from then on its duplicates need no write. */
    public void awaitDone(String key) {
        RecordId record = new RecordId(IdempotencyKey.of(key), new Scope(ConsumerApplication.PAYMENTS));
        IdempotencyStore store = application.bean(IdempotencyStore.class);
        awaitUntil(() -> store.inspect(record)
                .filter(found -> found.state() == RecordState.COMPLETED)
                .isPresent());
    }

    /** Begins: with this command to Redis. */
    public void begin(String refusal) {
        redis.command(refusal.split(" "));
    }

    /** Waits until a listener has paused and the store was asked often, and notes what the gauge says meanwhile. */
    public void watch() {
        awaitUntil(() -> !events(ConsumerEvent.Paused.class).isEmpty());
        // The gauge is told of the same event, after this test.
        awaitUntil(() -> paused() == 1);
        int asked = application.bean(CountedQuestions.class).count();
        awaitUntil(() -> {
            gauge.add(paused());
            return gauge.size() >= LOOKS
                    && application.bean(CountedQuestions.class).count() >= asked + LOOKS;
        });
    }

    /** Prometheus' own tool sees the alert fire, if each look was a scrape. */
    public void assertAlertFires() throws IOException, InterruptedException {
        Path rules = Path.of("..", "workshop", "observability", "alerts.yml").toRealPath();
        Path test = Files.createTempFile("idem-alert", ".yml");
        Files.writeString(test, """
                rule_files: ["%s"]
                evaluation_interval: 15s
                tests:
                  - interval: 15s
                    input_series:
                      - series: 'idem_consumer_paused{scope="payments",transport="%s"}'
                        values: '%s'
                    promql_expr_test:
                      - expr: count(ALERTS{alertname="IdemListenerPaused",alertstate="firing",scope="payments"})
                        eval_time: 2m
                        exp_samples: [{labels: '{}', value: 1}]
                """.formatted(
                rules,
                transport,
                gauge.stream().map(value -> Integer.toString(value.intValue())).collect(joining(" "))));
        try {
            Process tool = new ProcessBuilder("promtool", "test", "rules", test.toString())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(tool.waitFor()).as(said).isZero();
        } catch (IOException missing) {
            assertThat(missing).hasMessageContaining("promtool");
            System.err.println("!!! SKIPPED: no promtool here; that the alert fires on these samples was not seen");
        } finally {
            Files.delete(test);
        }
    }

    /** The gauge while it lasted. */
    public List<Double> gauge() {
        return List.copyOf(gauge);
    }

    private double paused() {
        return application
                .bean(MeterRegistry.class)
                .get("idem.consumer.paused")
                .tag("scope", ConsumerApplication.PAYMENTS)
                .tag("transport", transport)
                .gauge()
                .value();
    }

    /** One outage was told of, with its cause, and it is not over. */
    public void assertToldOnce(String cause) {
        assertThat(gauge).hasSizeGreaterThan(1).containsOnly(1.0);
        assertThat(events(ConsumerEvent.Paused.class)).hasSize(1);
        assertThat(events(ConsumerEvent.Resumed.class)).isEmpty();
        assertThat(told(Level.WARN, "pauses")).singleElement().asString().contains(cause);
        assertThat(told(Level.INFO, "goes on")).isEmpty();
    }

    /** Redis accepts everything again; the outage ends once. */
    public void end() {
        end(redis);
        awaitUntil(() -> !events(ConsumerEvent.Resumed.class).isEmpty());
        assertThat(paused()).isZero();
        assertThat(events(ConsumerEvent.Paused.class)).hasSize(1);
        assertThat(events(ConsumerEvent.Resumed.class)).hasSize(1);
        assertThat(told(Level.INFO, "goes on")).hasSize(1);
    }

    /** Returns the lines about the scope of this application; tests of other scopes may log at the same time. */
    private List<String> told(Level level, String word) {
        return lines.ofIdem(level).stream()
                .filter(line -> line.contains("\"" + ConsumerApplication.PAYMENTS + "\"") && line.contains(word))
                .toList();
    }

    private <E extends ConsumerEvent> List<E> events(Class<E> kind) {
        return application.bean(CollectedEvents.class).of(kind);
    }

    private static void awaitUntil(Callable<Boolean> condition) {
        await().atMost(Duration.ofMinutes(2)).until(condition);
    }

    @Override
    public void close() {
        lines.close();
    }

    /** Meters that can be looked at. */
    @Configuration(proxyBeanMethods = false)
    public static class Meters implements Resettable {

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }
}
