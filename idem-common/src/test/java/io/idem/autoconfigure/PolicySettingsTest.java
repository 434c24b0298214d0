package io.idem.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AttemptPolicy;
import io.idem.ExecutionPolicy;
import io.idem.Reconciler;
import io.idem.Reconciliation;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.TakeoverPolicy;
import io.idem.internal.spring.ConfigurationFailureAnalyzer;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.ContextRefreshedEvent;

/** Policies by settings: for all scopes and for single ones. */
@ExtendWith(OutputCaptureExtension.class)
class PolicySettingsTest {

    private static final Scope PAYMENTS = new Scope("payments");
    private static final Scope OTHERS = new Scope("others");

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(IdemAutoConfiguration.class))
            .withBean(IdempotencyStore.class, InMemoryIdempotencyStore::new);

    @Test
    void withoutSettingsEveryScopeHasTheDefaults() {
        runner.run(context ->
                assertThat(context.getBean(ScopePolicies.class).of(PAYMENTS)).isEqualTo(ExecutionPolicy.defaults()));
    }

    @Test
    void aScopesSettingsWinOverThoseForAll() {
        runner.withPropertyValues(
                        "idem.lease=20s",
                        "idem.max-attempts=3",
                        "idem.backoff.first=1s",
                        "idem.takeover=reject",
                        "idem.reject-on=java.io.IOException",
                        "idem.scopes.payments.lease=60s",
                        "idem.scopes.payments.retention=7d",
                        "idem.scopes.payments.max-attempts=9",
                        "idem.scopes.payments.backoff.longest=10m",
                        "idem.scopes.payments.takeover=rerun",
                        "idem.scopes.payments.retry-on=java.io.FileNotFoundException",
                        "idem.scopes.payments.interrupt-on-lost-lease=true")
                .run(context -> {
                    ExecutionPolicy others =
                            context.getBean(ScopePolicies.class).of(OTHERS);
                    ExecutionPolicy payments =
                            context.getBean(ScopePolicies.class).of(PAYMENTS);
                    assertThat(others).isEqualTo(context.getBean(ExecutionPolicy.class));
                    assertThat(others.attempts().takeover()).isEqualTo(TakeoverPolicy.reject());
                    assertThat(others.attempts().failures().rejects(new FileNotFoundException()))
                            .isTrue();
                    assertDurations(others, 20, Duration.ofHours(24), 3);
                    assertDurations(payments, 60, Duration.ofDays(7), 9);
                    assertOfPayments(payments.attempts());
                });
    }

    private static void assertDurations(ExecutionPolicy policy, int lease, Duration retention, int attempts) {
        assertThat(policy.lease()).isEqualTo(Duration.ofSeconds(lease));
        assertThat(policy.renewEvery()).isEqualTo(Duration.ofSeconds(lease).dividedBy(3));
        assertThat(policy.retention()).isEqualTo(retention);
        assertThat(policy.maxAttempts()).isEqualTo(attempts);
    }

    private static void assertOfPayments(AttemptPolicy payments) {
        assertThat(payments.takeover()).isEqualTo(TakeoverPolicy.rerun());
        assertThat(payments.failures().rejects(new IOException())).isTrue();
        assertThat(payments.failures().rejects(new FileNotFoundException())).isFalse();
        assertThat(payments.backoff().first()).isEqualTo(Duration.ofSeconds(1));
        assertThat(payments.backoff().multiplier()).isEqualTo(2);
        assertThat(payments.backoff().jitter()).isEqualTo(0.5);
        assertThat(payments.backoff().longest()).isEqualTo(Duration.ofMinutes(10));
        assertThat(payments.interruptOnLostLease()).isTrue();
    }

    @Test
    void theKillSwitchTellsThatAttemptsAreNotCounted() {
        runner.run(context -> assertThat(context.getBean(ScopePolicies.class).attemptsAreCounted())
                .isTrue());
        runner.withPropertyValues("idem.enabled=false")
                .run(context -> assertThat(context.getBean(ScopePolicies.class).attemptsAreCounted())
                        .isFalse());
    }

    @Test
    void aReconcilerIsFoundByNameOrAsTheOnlyOne() {
        Reconciler done = attempt -> Reconciliation.done();
        runner.withBean("ledger", Reconciler.class, () -> done)
                .withPropertyValues(
                        "idem.scopes.payments.takeover=reconcile",
                        "idem.scopes.others.takeover=reconcile",
                        "idem.scopes.others.reconciler=ledger")
                .run(context -> {
                    for (Scope scope : new Scope[] {PAYMENTS, OTHERS}) {
                        assertThat(context.getBean(ScopePolicies.class)
                                        .of(scope)
                                        .attempts()
                                        .takeover())
                                .isInstanceOf(TakeoverPolicy.Reconcile.class);
                    }
                });
    }

    @ParameterizedTest
    @CsvSource({
        "idem.reject-on, com.example.Missing,",
        "idem.retry-on, java.lang.String,",
        "idem.backoff.longest, 1ms, idem.backoff.first=1s",
        "idem.backoff.longest, 25h, idem.backoff.first=1s",
        "idem.reconciler, nobody, idem.takeover=reconcile",
        "idem.reconciler, nobody,",
        "idem.scopes.payments.reject-on, com.example.Missing,",
        "idem.scopes.payments.reject-on, java.io.IOException, idem.scopes.payments.retry-on=java.io.IOException",
        "idem.scopes.payments.retention, 1s,",
        "idem.scopes.payments.lease, 10ms,",
        "idem.scopes.payments.lease, 2m, idem.retention=1m",
        "idem.scopes.payments.max-attempts, -1,",
        "idem.scopes.payments.backoff.first, -1s,",
        "idem.scopes.payments.backoff.longest, 2h, idem.scopes.payments.backoff.first=1s idem.scopes.payments.retention=1h",
        "idem.scopes.payments.reconciler, nobody, idem.scopes.payments.takeover=reconcile",
    })
    void aSettingThatCannotWorkIsNamedAtStartUp(String property, String value, @Nullable String others) {
        ApplicationContextRunner with = runner.withPropertyValues(property + "=" + value);
        with = others == null ? with : with.withPropertyValues(others.split(" "));
        with.run(context -> {
            FailureAnalysis analysis =
                    new ConfigurationFailureAnalyzer().analyze(requireNonNull(context.getStartupFailure()));
            assertThat(analysis).isNotNull();
            assertThat(analysis.getDescription()).contains(property);
        });
    }

    @Test
    void aReconcilerThatCannotBeChosenIsNamedAtStartUp() {
        runner.withPropertyValues("idem.scopes.payments.takeover=reconcile")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("Setting idem.scopes.payments.reconciler: there are 0 beans"));
    }

    @Test
    void aManagementContextOfItsOwnWarnsOfNothingAgain(CapturedOutput output) {
        runner.withPropertyValues("idem.scopes.payment.lease=60s").run(context -> {
            context.publishEvent(new ContextRefreshedEvent(context));

            assertThat(output).containsOnlyOnce("idem.scopes.payment is set, but no listener");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"idem.scopes.payment.lease=60s", "idem.consumer.rabbit.deferral.scopes.payment=delay-queue"})
    void settingsForAScopeThatNobodyHasAreWarnedAbout(String setting, CapturedOutput output) {
        runner.withPropertyValues(setting)
                .run(context -> assertThat(output).contains("scopes.payment is set, but no listener, route or method"));
    }
}
