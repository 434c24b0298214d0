package io.idem.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Scope;
import io.idem.internal.LogFields;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.ScopeRegistry;
import io.idem.spi.IdempotencyStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.ContextRefreshedEvent;

@ExtendWith(OutputCaptureExtension.class)
class StartUpReportTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(IdemAutoConfiguration.class))
            .withBean(IdempotencyStore.class, InMemoryIdempotencyStore::new)
            .withBean(ScopeRegistry.class, () -> {
                ScopeRegistry registry = new ScopeRegistry(InMemoryIdempotencyStore::new);
                registry.register(new Scope("payments"), "the listener of payments");
                registry.describe(new Scope("payments"), "inbox no");
                return registry;
            });

    @Test
    void theRulesOfEveryParticipantAreSaidOnce(CapturedOutput output) {
        runner.withPropertyValues("idem.scopes.payments.lease=40s", "idem.max-attempts=3")
                .run(context -> {
                    context.publishEvent(new ContextRefreshedEvent(context));

                    assertThat(output)
                            .containsOnlyOnce("payments (the listener of payments): inbox no, lease 40 s")
                            .contains(
                                    "attempts 3",
                                    "takeover rerun",
                                    "kept for 24 h",
                                    "records in the application's own InMemoryIdempotencyStore")
                            .doesNotContain("PT");
                });
    }

    @Test
    void itAndTheLogFieldsGoWithTheirSettings(CapturedOutput output) {
        runner.withPropertyValues("idem.observability.start-up-report=false", "idem.observability.log-fields=false")
                .run(context -> {
                    assertThat(output).doesNotContain("idem guards");
                    assertThat(context).doesNotHaveBean(LogFields.class);
                });
        runner.run(context -> assertThat(context).hasSingleBean(LogFields.class));
    }
}
