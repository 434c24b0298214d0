package io.idem.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

/** A Redis that changes while the application runs: what health, work and log say of it. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("servers")
class IdemRedisConditionsTest {

    private final RunningRedis redis = RedisServers.start(ServerOptions.own());
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    IdemAutoConfiguration.class, IdemRedisAutoConfiguration.class, IdemHealthAutoConfiguration.class))
            .withPropertyValues("idem.redis.url=" + redis.uri(), "idem.redis.retry-budget=100ms");

    @AfterEach
    void stop() {
        redis.close();
    }

    private static Outcome<String> run(ApplicationContext context, String key) throws Exception {
        Operation operation = Operation.of(IdempotencyKey.of(key), new Scope("payments"), ExecutionPolicy.defaults());
        return context.getBean(IdempotentExecutor.class)
                .execute(operation, work -> new WorkResult.Complete<>("done", StoredResult.NONE));
    }

    private static Health health(ApplicationContext context) {
        return requireNonNull(context.getBean(HealthIndicator.class).health());
    }

    private static void awaitStatus(ApplicationContext context, Status status) {
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(health(context).getStatus()).isEqualTo(status));
    }

    /** Health looks once a second. */
    private static void awaitNextLook() {
        await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CONFIG SET maxmemory 1 | CONFIG SET maxmemory 0 | raise maxmemory",
                "CONFIG SET min-replicas-to-write 1 | CONFIG SET min-replicas-to-write 0 | bring replicas back",
                "REPLICAOF 127.0.0.1 1 | REPLICAOF NO ONE | READONLY",
                "ACL SETUSER default -evalsha -eval | ACL SETUSER default +@all | NOPERM",
                "CONFIG SET maxmemory-policy allkeys-lfu | CONFIG SET maxmemory-policy noeviction | noeviction",
            })
    @Tag("extended")
    void healthFollowsWritesAndNamesTheCause(String refuse, String allow, String cause) {
        runner.run(context -> {
            run(context, "done");
            awaitStatus(context, Status.UP);
            redis.command(refuse.split(" "));

            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(
                            () -> assertThat(health(context).getStatus()).isIn(Status.OUT_OF_SERVICE, Status.DOWN));
            assertThat(health(context).getDetails()).containsEntry("store", "DOWN");
            assertThat(health(context).getDetails().get("cause")).asString().contains(cause);
            assertThatThrownBy(() -> run(context, UUID.randomUUID().toString()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(cause);

            redis.command(allow.split(" "));
            awaitStatus(context, Status.UP);
            assertThat(run(context, UUID.randomUUID().toString())).isInstanceOf(Outcome.Executed.class);
        });
    }

    @Test
    void aPolicyThatBecomesUnsafeStopsNewWorkUntilItIsRight(CapturedOutput output) {
        String policy = "volatile-ttl";
        runner.run(context -> {
            run(context, "done");
            redis.command("CONFIG", "SET", "maxmemory-policy", policy);

            awaitStatus(context, Status.DOWN);
            awaitNextLook();
            awaitStatus(context, Status.DOWN);
            assertThat(run(context, "done")).isInstanceOf(Outcome.Replayed.class);
            assertThatThrownBy(() -> run(context, "new"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("set maxmemory-policy noeviction");
            assertThat(output.getOut().lines().filter(line -> line.contains(" ERROR ") && line.contains(policy)))
                    .hasSize(1);

            redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            awaitStatus(context, Status.UP);
            assertThat(run(context, "new")).isInstanceOf(Outcome.Executed.class);
        });
    }

    @Test
    void aPolicyThatOnlyWarnsIsToldOnce(CapturedOutput output) {
        runner.withPropertyValues("idem.redis.checks.eviction-policy=warn").run(context -> {
            run(context, "done");
            redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-random");

            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                assertThat(health(context).getStatus()).isEqualTo(Status.UP);
                assertThat(output).contains("allkeys-random");
            });
            awaitNextLook();
            health(context);
            assertThat(run(context, "new")).isInstanceOf(Outcome.Executed.class);
            assertThat(output).containsOnlyOnce("allkeys-random");
        });
    }

    @Test
    @Tag("extended")
    void evictedKeysAreAnErrorAndCountedButDoNotChangeHealth(CapturedOutput output) {
        MeterRegistry meters = new SimpleMeterRegistry();
        runner.withConfiguration(AutoConfigurations.of(IdemObservabilityAutoConfiguration.class))
                .withBean(MeterRegistry.class, () -> meters)
                .withPropertyValues("idem.redis.checks.eviction-policy=warn")
                .run(context -> {
                    assertThat(meters.get("idem.redis.evicted")
                                    .functionCounter()
                                    .count())
                            .isZero();
                    redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-random");
                    awaitStatus(context, Status.UP);
                    long used = Long.parseLong(redis.info("used_memory"));
                    redis.command("CONFIG", "SET", "maxmemory", Long.toString(used + 1_000_000));
                    redis.command(
                            "EVAL",
                            "for i = 1, 3000 do redis.call('SET', 'filler' .. i, string.rep('x', 1000)) end",
                            "0");

                    await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                        assertThat(health(context).getStatus()).isEqualTo(Status.UP);
                        assertThat(meters.get("idem.redis.evicted")
                                        .functionCounter()
                                        .count())
                                .isPositive();
                    });
                    assertThat(output).containsPattern("ERROR.*has evicted [0-9]+ keys");
                });
    }

    /** The user's password was rotated, and the connection was cut afterwards. */
    @Test
    void aPasswordThatIsNotRightAnyMoreIsNamedAsTheCause() {
        redis.command("ACL", "SETUSER", "shop", "on", ">old", "~*", "+@all");
        String url = redis.uri().replace("redis://", "redis://shop:old@");
        runner.withPropertyValues("idem.redis.url=" + url).run(context -> {
            run(context, "done");
            redis.command("ACL", "SETUSER", "shop", "resetpass", ">new");
            redis.command("CLIENT", "KILL", "USER", "shop");

            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThatThrownBy(() -> run(context, "new"))
                            .isInstanceOf(StoreUnavailableException.class)
                            .hasMessageContainingAll("WRONGPASS", "correct user and password")
                            .hasMessageNotContaining("old"));
            assertThat(health(context).getDetails().get("cause")).asString().contains("WRONGPASS");
            redis.command("ACL", "SETUSER", "shop", ">old");
            awaitStatus(context, Status.UP);
        });
    }
}
