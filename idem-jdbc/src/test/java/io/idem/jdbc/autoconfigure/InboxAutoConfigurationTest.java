package io.idem.jdbc.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.ConfigurationException;
import io.idem.FailurePolicy;
import io.idem.Inbox;
import io.idem.RecordId;
import io.idem.internal.spring.Cleaning;
import io.idem.internal.spring.ConfigurationFailureAnalyzer;
import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.TestDatabase;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.jdbc.outbox.OutboxRelay;
import io.idem.jdbc.store.RecordCleaner;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.ReactiveTransaction;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import reactor.core.publisher.Mono;

@Tag("servers")
class InboxAutoConfigurationTest {

    private final TestDatabase database = new TestDatabase();
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceTransactionManagerAutoConfiguration.class, InboxAutoConfiguration.class))
            .withBean(DataSource.class, database::dataSource);

    @AfterEach
    void close() {
        database.close();
    }

    private static Pauses shortPauses() {
        Duration shortly = Duration.ofMillis(50);
        return new Pauses(shortly, shortly, shortly);
    }

    @Test
    void anInboxIsThereWhenTheTableMayBeCreated() {
        application
                .withPropertyValues("idem.jdbc.initialize-schema=always")
                .run(context ->
                        assertThat(context).hasSingleBean(JdbcInbox.class).hasSingleBean(RecordCleaner.class));
    }

    @Test
    void withoutAnyScopeThatUsesTheInboxThereNeedBeNoTable() {
        application
                .withConfiguration(AutoConfigurations.of(OutboxAutoConfiguration.class))
                .withBean(Pauses.class, InboxAutoConfigurationTest::shortPauses)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(Cleaning.class).isRunning()).isTrue();
                    assertThat(context.getBean(OutboxRelay.class).running()).isTrue();
                    assertThat(context.getBean(OutboxRelay.class).unsent()).isZero();
                });
    }

    @Test
    void theTableIsCreatedInTheSchemaThatIsSet() {
        try (TestDatabase elsewhere = new TestDatabase()) {
            application
                    .withPropertyValues(
                            "idem.jdbc.initialize-schema=always",
                            "idem.jdbc.schema=" + elsewhere.dataSource().getCurrentSchema())
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThat(elsewhere.count("SELECT count(*) FROM idem_record"))
                                .isZero();
                        assertThat(database.jdbc().queryForList("SELECT to_regclass('idem_record')::text", String.class))
                                .containsOnlyNulls();
                    });
        }
    }

    @Test
    void aMissingTableStopsTheApplicationThatUsesItAndTheAnalysisSaysWhatToDo() {
        application.withBean(InboxUser.class).run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = requireNonNull(
                    new ConfigurationFailureAnalyzer().analyze(requireNonNull(context.getStartupFailure())));
            assertThat(analysis.getCause()).isInstanceOf(InboxSchemaException.class);
            assertThat(analysis.getDescription()).contains("idem_record");
            assertThat(analysis.getAction())
                    .contains("idem.jdbc.initialize-schema=always", "META-INF/idem/sql", "ask for an inbox");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "my-shop"})
    void aSchemaThatIsNoNameIsRefusedByItsSetting(String schema) {
        application
                .withPropertyValues("idem.jdbc.schema=" + schema)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContainingAll("idem.jdbc.schema", "\"" + schema + "\""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "off", "no", "0"})
    void itCanBeSwitchedOff(String off) {
        application
                .withPropertyValues("idem.jdbc.enabled=" + off)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(Inbox.class)
                        .doesNotHaveBean(RecordCleaner.class));
    }

    @Test
    void itBacksOffForAnInboxOfTheUsers() {
        application
                .withPropertyValues("idem.jdbc.initialize-schema=always")
                .withBean(Inbox.class, NoInbox::new)
                .run(context -> assertThat(context).hasSingleBean(Inbox.class).doesNotHaveBean(JdbcInbox.class));
    }

    @Test
    void oldRowsAreDeletedWhileTheApplicationRuns() {
        application
                .withPropertyValues("idem.jdbc.initialize-schema=always")
                .withBean(Pauses.class, InboxAutoConfigurationTest::shortPauses)
                .run(context -> {
                    database.jdbc()
                            .update("INSERT INTO idem_record (key_id, scope, state, attempts, grant_kind, fence, at, expires_at)"
                                    + " VALUES ('k', 's', 2, 1, 0, 1, now(), now() - interval '2 hours')");
                    await().until(() -> database.jdbc()
                            .queryForList("SELECT fence FROM idem_record", Long.class)
                            .isEmpty());
                });
    }

    @Test
    void onlyReactiveTransactionsAreRefused() {
        ReactiveTransactionManager reactive = new SomeReactiveManager();
        application
                .withBean(ReactiveTransactionManager.class, () -> reactive)
                .withBean(InboxUser.class)
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .contains("ReactiveTransactionManager", "PlatformTransactionManager", "ask for an inbox"));
    }

    private static String refusal(@Nullable Throwable failure) {
        ConfigurationException refused = FailurePolicy.causes(requireNonNull(failure))
                .filter(ConfigurationException.class::isInstance)
                .map(ConfigurationException.class::cast)
                .findFirst()
                .orElseThrow();
        return refused.getMessage() + refused.action();
    }

    /** A reactive transaction manager, as an application with R2DBC has one. */
    private static final class SomeReactiveManager implements ReactiveTransactionManager {

        @Override
        public Mono<ReactiveTransaction> getReactiveTransaction(@Nullable TransactionDefinition definition) {
            return Mono.empty();
        }

        @Override
        public Mono<Void> commit(ReactiveTransaction transaction) {
            return Mono.empty();
        }

        @Override
        public Mono<Void> rollback(ReactiveTransaction transaction) {
            return Mono.empty();
        }
    }

    /** A bean that needs an inbox at start-up, as a listener does. */
    static final class InboxUser {

        InboxUser(Inbox inbox) {
            requireNonNull(inbox);
        }
    }

    private static final class NoInbox implements Inbox {

        @Override
        public InboxOutcome run(Request request, InboxWork work) {
            return new InboxOutcome.RolledBack();
        }

        @Override
        public Optional<Effect> find(RecordId record) {
            return Optional.empty();
        }
    }
}
