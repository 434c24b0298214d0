package io.idem.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ExecutionPolicy;
import io.idem.Scope;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.ScopeRegistry;
import io.idem.spi.IdempotencyStore;
import java.io.IOException;
import java.net.URL;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Settings that start silently and do not what their author meant. */
@ExtendWith(OutputCaptureExtension.class)
class SettingsWarningsTest {

    private static final String UNKNOWN = "does not know these settings";
    private static final String SHORT = "less than an hour";

    private final ScopeRegistry registry = new ScopeRegistry(InMemoryIdempotencyStore::new);
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(IdemAutoConfiguration.class))
            .withBean(IdempotencyStore.class, InMemoryIdempotencyStore::new)
            .withBean(ScopeRegistry.class, () -> registry);

    private ApplicationContextRunner withVariables(String... pairs) {
        Map<String, Object> variables = new HashMap<>();
        Arrays.stream(pairs).map(pair -> pair.split("=", 2)).forEach(pair -> variables.put(pair[0], pair[1]));
        return runner.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)));
    }

    @ParameterizedTest
    @CsvSource({
        "idem.stoer=redis, idem.store",
        "idem.retenton=7d, idem.retention",
        "idem.retention-time=7d, idem.retention",
        "idem.redis.comand-timeout=1s, idem.redis.command-timeout",
        "idem.scope.payments.lease=10s, idem.scopes.payments.lease)",
        "idem.http.scopes.payments.lease=10s, idem.scopes.payments.lease)",
        "idem.consumer.scopes.payments.max-attempts=3, idem.scopes.payments.max-attempts)",
        "idem.scopesof.payments.lease=10s, idem.scopes.payments.lease)",
        "idem.scopes.payments.max-atempts=3, idem.scopes.payments.max-attempts)",
        "idem.scopes.payments.max-atempts.value=3, idem.scopes.payments.max-attempts)",
        "idem.scopes.payments.backoff.initial=2s, idem.scopes.payments.backoff.first)",
        "idem.scopes.payments.backof=2s, idem.scopes.payments.backoff.first)",
        "idem.redis.checks.persistense=off, idem.redis.checks.persistence)",
        "idem.redis.checks.maxmemory=off, idem.redis.checks.clock)",
        "idem.result.encryption.keyz=1, idem.result.encryption.key",
        "idem.observability.startup-report-enabled=false, idem.observability.start-up-report"
    })
    void aSettingThatIdemDoesNotKnowIsNamedWithTheNearestOne(String setting, String nearest, CapturedOutput output) {
        runner.withPropertyValues(setting)
                .run(context -> assertThat(output)
                        .containsOnlyOnce(UNKNOWN)
                        .contains(setting.substring(0, setting.indexOf('=')) + " (nearest: " + nearest));
    }

    /** A shaded jar keeps the metadata of one of the jars that were merged into it. */
    @Test
    void aJarWithTheMetadataOfOneModuleNamesNoSettingAsUnknown(CapturedOutput output) {
        ClassLoader shaded = new ClassLoader(getClass().getClassLoader()) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                List<URL> all = Collections.list(super.getResources(name));
                return Collections.enumeration(
                        name.endsWith("spring-configuration-metadata.json") ? all.subList(0, 1) : all);
            }
        };

        runner.withClassLoader(shaded)
                .withPropertyValues("idem.http.routes[0].path=/pay")
                .run(context -> assertThat(output).doesNotContain(UNKNOWN));
    }

    @ParameterizedTest
    @CsvSource({
        "idem.lease=30000, Durations without a unit count milliseconds: idem.lease=30000.",
        "idem.result.max-size=1, Sizes without a unit count bytes: idem.result.max-size=1.",
        "idem.cache.max-weight=16, Sizes without a unit count bytes: idem.cache.max-weight=16."
    })
    void aValueWithoutAUnitIsNamedWithTheUnitThatCounts(String setting, String warning, CapturedOutput output) {
        runner.withPropertyValues(setting)
                .run(context ->
                        assertThat(output).containsOnlyOnce("without a unit").contains(warning));
    }

    @ParameterizedTest
    @ValueSource(strings = {"idem.lease=30s", "idem.result.max-size=64KB", "idem.max-attempts=5"})
    void aValueWithItsUnitAndANumberAreNot(String setting, CapturedOutput output) {
        runner.withPropertyValues(setting).run(context -> assertThat(output).doesNotContain("without a unit"));
    }

    @Test
    void theScopeOfASettingWithTooManyPartsIsToBeWrittenInBrackets(CapturedOutput output) {
        runner.withPropertyValues("idem.scopes.http.shop.retention=48h")
                .run(context -> assertThat(output).containsOnlyOnce(UNKNOWN).contains("idem.scopes[http.shop]"));
    }

    @Test
    void allOfThemAreInOneWarning(CapturedOutput output) {
        runner.withPropertyValues("idem.stoer=redis", "idem.retenton=7d")
                .run(context -> assertThat(output)
                        .containsOnlyOnce(UNKNOWN)
                        .contains("idem.retenton (nearest: idem.retention), idem.stoer (nearest: idem.store)"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "idem.retention=7d",
                "idem.maxAttempts=5",
                "idem.max_attempts=5",
                "idem.redis.checks.evictionPolicy=warn",
                "idem.scopes[http.shop].lease=40s",
                "idem.scopes.payments.backoff.first=1s",
                "idem.result.encryption.keys.[2026-11]=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "idem.redis.checks.eviction-policy=warn",
                "idem.reject-on[0]=java.io.IOException",
                "idem.reject-on=java.io.IOException",
                "idempotent.stoer=1",
                "management.health.idem.enabled=false"
            })
    void knownSettingsInAnyFormAreNot(String setting, CapturedOutput output) {
        runner.withPropertyValues(setting).run(context -> assertThat(output).doesNotContain(UNKNOWN));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "IDEM_MAX_ATTEMPTS=5",
                "IDEM_MAXATTEMPTS=5",
                "IDEM_RESULT_MAX_SIZE=2MB",
                "IDEM_REDIS_CHECKS_EVICTIONPOLICY=warn",
                "IDEM_SCOPES_PAYMENTS_MAXATTEMPTS=5",
                "IDEM_REJECT_ON_0=java.io.IOException",
                "IDEM_REDIS_PORT_6379_TCP=tcp://10.0.0.1:6379",
                "IDEM_SERVICE_HOST=10.0.0.1",
                "IDEM_HOME=/opt/idem"
            })
    void variablesOfSettingsAndOfOtherProgramsAreNot(String variable, CapturedOutput output) {
        withVariables(variable).run(context -> assertThat(output).doesNotContain(UNKNOWN));
    }

    @Test
    void aRetentionUnderAnHourIsNamedWithItsScopes(CapturedOutput output) {
        registry.register(new Scope("payments"), "the listener");
        registry.register(
                new Scope("labels"),
                "the other listener",
                ExecutionPolicy.of(Duration.ofSeconds(30), Duration.ofMinutes(59)));
        registry.register(
                new Scope("mails"),
                "the third listener",
                ExecutionPolicy.of(Duration.ofSeconds(30), Duration.ofHours(1)));

        runner.withPropertyValues("idem.retention=86400").run(context -> {
            assertThat(output)
                    .containsOnlyOnce(SHORT)
                    .containsPattern("Records of \\[(labels, payments|payments, labels)\\] are kept")
                    .contains("milliseconds");
        });
    }

    @Test
    void aLongRetentionAndNoParticipantAreNot(CapturedOutput output) {
        runner.withPropertyValues("idem.retention=86400")
                .run(context -> assertThat(output).doesNotContain(SHORT));
        registry.register(new Scope("payments"), "the listener");
        runner.withPropertyValues("idem.retention=1h")
                .run(context -> assertThat(output).doesNotContain(SHORT));
    }
}
