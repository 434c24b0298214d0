package io.idem.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.ExecutionPolicy;
import io.idem.GuardAction;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.ResultCodec;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.engine.IdempotentExecutor;
import io.idem.internal.spring.ConfigurationFailureAnalyzer;
import io.idem.internal.spring.InvalidSettingException;
import io.idem.json.JacksonResultCodec;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.ScopeRegistry;
import io.idem.redis.ServerGuards;
import io.idem.spi.IdempotencyStore;
import io.lettuce.core.SslOptions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SystemEnvironmentPropertySource;

@ExtendWith(OutputCaptureExtension.class)
class IdemAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    IdemAutoConfiguration.class, IdemJsonAutoConfiguration.class, IdemResultAutoConfiguration.class))
            .withBean(IdempotencyStore.class, InMemoryIdempotencyStore::new);

    @Test
    void theEngineRunsWithDefaultsAlone() {
        runner.run(context -> {
            assertThat(context.getBean(ExecutionPolicy.class)).isEqualTo(ExecutionPolicy.defaults());
            assertThat(context.getBean(ResultCodec.class).name()).isEqualTo(JacksonResultCodec.CODEC);
            Operation operation =
                    Operation.of(IdempotencyKey.of("k"), new Scope("payments"), context.getBean(ExecutionPolicy.class));
            assertThat(context.getBean(IdempotentExecutor.class)
                            .execute(operation, work -> new WorkResult.Complete<>("done", StoredResult.NONE)))
                    .isEqualTo(new Outcome.Executed<>("done", StoredResult.NONE));
        });
    }

    @Test
    void theAsynchronousFormBeginsItsWorkOnTheApplicationsTaskExecutor() {
        // The common pool, or, where it has one thread only, what CompletableFuture puts in its place.
        runner.run(context -> assertThat(workerOf(context))
                .isNotEqualTo(Thread.currentThread().getName()));
        runner.withBean("applicationTaskExecutor", Executor.class, () -> task -> new Thread(task, "worker-1").start())
                .run(context -> assertThat(workerOf(context)).isEqualTo("worker-1"));
    }

    private static String workerOf(ApplicationContext context) {
        Outcome<String> outcome = context.getBean(AsyncIdempotentExecutor.class)
                .execute(
                        Operation.of(
                                IdempotencyKey.of("k"), new Scope("payments"), context.getBean(ExecutionPolicy.class)),
                        work -> CompletableFuture.completedStage(
                                new WorkResult.Complete<>(Thread.currentThread().getName(), StoredResult.NONE)))
                .toCompletableFuture()
                .join();
        return ((Outcome.Executed<String>) outcome).value();
    }

    @Test
    void settingsReachThePolicyAndUnsetOnesFollowTheLease() {
        runner.withPropertyValues("idem.lease=60s", "idem.retention=7d", "idem.max-attempts=5")
                .run(context -> assertThat(context.getBean(ExecutionPolicy.class))
                        .isEqualTo(ExecutionPolicy.of(Duration.ofSeconds(60), Duration.ofDays(7))
                                .withMaxAttempts(5)));
    }

    @Test
    void settingsThatAPolicyBeanOfTheApplicationReplacesAreNamed(CapturedOutput output) {
        runner.withBean(ExecutionPolicy.class, ExecutionPolicy::defaults)
                .withPropertyValues("idem.lease=60s", "idem.backoff.first=1s", "idem.scopes.payments.lease=10s")
                .run(context -> assertThat(output)
                        .contains(
                                "of its own of type ExecutionPolicy, and so [idem.lease, idem.backoff] has no effect"));
        runner.withBean(ScopePolicies.class, () -> ScopePolicies.same(ExecutionPolicy.defaults()))
                .withPropertyValues("idem.scopes.payments.lease=10s")
                .run(context -> assertThat(output)
                        .contains("of its own of type ScopePolicies, and so [idem.scopes] has no effect"));
    }

    @Test
    void nothingIsSaidWhereSettingsAndBeansDoNotMeet(CapturedOutput output) {
        runner.withBean(ExecutionPolicy.class, ExecutionPolicy::defaults)
                .run(context -> assertThat(context).hasNotFailed());
        runner.withPropertyValues("idem.lease=60s")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).doesNotContain("has no effect on attempts");
    }

    @Test
    void everyPartBacksOffForTheApplicationsOwn() {
        ExecutionPolicy own = ExecutionPolicy.of(Duration.ofSeconds(5), Duration.ofHours(1));
        ScopeRegistry registry = new ScopeRegistry(InMemoryIdempotencyStore::new);
        runner.withBean(ExecutionPolicy.class, () -> own)
                .withBean(ScopeRegistry.class, () -> registry)
                .run(context -> {
                    assertThat(context.getBean(ExecutionPolicy.class)).isSameAs(own);
                    assertThat(context.getBean(ScopeRegistry.class)).isSameAs(registry);
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "idem.renamed-scopes.payments-eu=payments",
                "idem.renamed-scopes[payments.eu]=payments.old",
                "idem.renamedScopes.payments-eu=payments"
            })
    void renamedScopesEndTheStart(String setting) {
        runner.withPropertyValues(setting).run(IdemAutoConfigurationTest::assertThatRenamedScopesAreRefused);
    }

    @ParameterizedTest
    @ValueSource(strings = {"IDEM_RENAMEDSCOPES_BILLING", "IDEM_RENAMED_SCOPES_BILLING"})
    void variablesOfRenamedScopesEndTheStart(String variable) {
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "test-systemEnvironment", Map.of(variable, "payments"))))
                .run(IdemAutoConfigurationTest::assertThatRenamedScopesAreRefused);
    }

    private static void assertThatRenamedScopesAreRefused(AssertableApplicationContext context) {
        FailureAnalysis analysis =
                new ConfigurationFailureAnalyzer().analyze(requireNonNull(context.getStartupFailure()));
        assertThat(analysis).isNotNull();
        assertThat(analysis.getDescription()).contains("idem.renamed-scopes was removed");
        assertThat(analysis.getAction()).contains("Set scope of the listener", "drain");
    }

    @ParameterizedTest
    @CsvSource({
        "idem.lease, 10ms",
        "idem.retention, 10s",
        "idem.max-attempts, -1",
        "idem.redis.command-timeout, 6s",
        "idem.redis.command-timeout, 0s",
        "idem.redis.replication.timeout, 6s",
        "idem.redis.replication.replicas, -1",
        "idem.redis.replication.replicas, 101",
        "idem.redis.retry-budget, 11s",
    })
    void aSettingThatCannotWorkIsNamedAtStartUp(String property, String value) {
        runner.withPropertyValues(property + "=" + value).run(context -> {
            FailureAnalysis analysis =
                    new ConfigurationFailureAnalyzer().analyze(requireNonNull(context.getStartupFailure()));
            assertThat(analysis).isNotNull();
            assertThat(analysis.getDescription()).contains(property);
            assertThat(analysis.getAction()).contains(property);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "idem.scopes.payments.backoff=5s, idem.scopes.payments.backoff.first",
        "idem.backoff=5s, idem.backoff.first",
        "idem.scopes[http.shop]=48h, idem.scopes[http.shop].retention",
        "idem.scopes.http=48h, idem.scopes.http.retention"
    })
    void aValueWhereAGroupOfSettingsIsNamesTheSettings(String setting, String meant) {
        runner.withPropertyValues(setting).run(context -> {
            FailureAnalysis analysis =
                    new SettingGroupFailureAnalyzer().analyze(requireNonNull(context.getStartupFailure()));
            assertThat(analysis).isNotNull();
            assertThat(analysis.getDescription()).contains(setting.substring(0, setting.indexOf('=')));
            assertThat(analysis.getAction()).contains(meant);
        });
    }

    @Test
    void replicasThatMustSyncInLessThanTwoSecondsAreRefused() {
        runner.withPropertyValues("idem.redis.replication.replicas=1", "idem.redis.replication.durability=fsync")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidSettingException.class)
                        .hasMessageContainingAll(
                                "idem.redis.replication.durability", "idem.redis.replication.timeout"));
    }

    @Test
    void checksOfTheServerAreChangedOneByOne() {
        bound(
                "off",
                guards -> assertThat(guards)
                        .isEqualTo(new ServerGuards(GuardAction.FAIL, GuardAction.WARN, GuardAction.OFF)));
        bound(
                "fail",
                guards -> assertThat(guards)
                        .isEqualTo(new ServerGuards(GuardAction.FAIL, GuardAction.WARN, GuardAction.FAIL)));
    }

    private void bound(String clock, Consumer<ServerGuards> check) {
        runner.withPropertyValues("idem.redis.checks.clock=" + clock)
                .run(context -> check.accept(context.getBean(IdemProperties.class)
                        .redisSettings(RedisAddress.ofUrl("idem.redis.url", "redis://localhost", SslOptions.create()))
                        .guards()));
    }

    @Test
    void allChecksCannotBeSetAtOnce() {
        runner.withPropertyValues("idem.redis.checks=off")
                .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining("idem.redis.checks"));
    }

    @Test
    void scopesRegisteredWhileTheApplicationStartsAreAnnounced() {
        runner.withUserConfiguration(Participant.class).run(context -> {
            IdempotencyKey key = IdempotencyKey.of("k");
            Operation operation = Operation.of(key, new Scope("payments"), ExecutionPolicy.defaults());
            context.getBean(IdempotentExecutor.class).begin(operation);
            await().untilAsserted(() -> assertThat(
                            context.getBean(IdempotencyStore.class).inspectAll(key))
                    .hasSize(1));
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Participant {

        Participant(ScopeRegistry registry) {
            registry.register(new Scope("payments"), "PaymentListener.charge");
        }
    }
}
