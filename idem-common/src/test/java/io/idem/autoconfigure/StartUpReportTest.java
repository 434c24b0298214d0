package io.idem.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AttemptPolicy;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.InboxTransaction;
import io.idem.Operation;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.engine.MapInbox;
import io.idem.internal.LogFields;
import io.idem.internal.method.InboxRules;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.ScopeRegistry;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.GenericApplicationContext;

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
    void anInboxThatIsTheStoreHasRowsAndNoLeases(CapturedOutput output) {
        ScopeRegistry registry = new ScopeRegistry(InMemoryIdempotencyStore::new);
        registry.register(new Scope("payments"), "the listener of payments");
        AttemptPolicy steps = AttemptPolicy.DEFAULT.withTransaction(InboxTransaction.LAST_PHASE);
        registry.register(
                new Scope("orders"), "the route", ExecutionPolicy.defaults().withAttempts(steps));
        ScopePolicies policies = ScopePolicies.same(ExecutionPolicy.defaults());

        GenericApplicationContext application = new GenericApplicationContext();
        StartUpReport report =
                new StartUpReport("the rows of the inbox", registry, policies, Duration.ofDays(7), application);
        report.onApplicationEvent(new ContextRefreshedEvent(new GenericApplicationContext(application)));
        assertThat(output).doesNotContain("the listener of payments");

        report.onApplicationEvent(new ContextRefreshedEvent(application));

        assertThat(output)
                .contains(
                        "payments (the listener of payments): no lease, since its row commits with the work, kept for 24 h,"
                                + " attempts without limit\n")
                .contains("orders (the route): lease 30 s")
                .contains("kept for 24 h, attempts without limit, takeover rerun");
    }

    @Test
    void anInboxBesideTheStoreIsSaidWithTheTimeOfItsRows() {
        assertThat(InboxRules.words(null, false)).isEqualTo("inbox no");
        assertThat(InboxRules.words(new MapInbox(), false)).isEqualTo("inbox yes");
        assertThat(InboxRules.words(new WeekOfRows(), true))
                .isEqualTo("inbox for its last phase, its rows kept for 7 days");
    }

    @Test
    void itAndTheLogFieldsGoWithTheirSettings(CapturedOutput output) {
        runner.withPropertyValues("idem.observability.start-up-report=false", "idem.observability.log-fields=false")
                .run(context -> {
                    assertThat(output).doesNotContain("idem guards");
                    assertThat(scopeInTheLog(context)).isNull();
                });
        runner.run(context -> assertThat(scopeInTheLog(context)).isEqualTo("payments"));
    }

    private static @Nullable String scopeInTheLog(ApplicationContext context) throws Exception {
        AtomicReference<@Nullable String> scope = new AtomicReference<>();
        context.getBean(IdempotentExecutor.class)
                .execute(
                        Operation.of(IdempotencyKey.of("k"), new Scope("payments"), ExecutionPolicy.defaults()),
                        work -> {
                            scope.set(MDC.get(LogFields.SCOPE));
                            return new WorkResult.Complete<>("", StoredResult.NONE);
                        });
        return scope.get();
    }

    /** An inbox of which only the retention is looked at. */
    private record WeekOfRows() implements Inbox {

        @Override
        public InboxOutcome run(Request request, InboxWork work) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Duration retention() {
            return Duration.ofDays(7);
        }

        @Override
        public Optional<Effect> find(RecordId record) {
            return Optional.empty();
        }
    }
}
