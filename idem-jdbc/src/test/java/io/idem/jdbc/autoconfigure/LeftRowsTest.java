package io.idem.jdbc.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Scope;
import io.idem.internal.operations.OwnedScopes;
import io.idem.jdbc.TestDatabase;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.outbox.OutboxRelay;
import io.idem.jdbc.outbox.RecordingTransport;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.ScopeRegistry;
import io.idem.operations.UnsentMessages.Waiting;
import io.idem.spi.OutgoingTransport;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Rows with messages in an application none of whose work has an inbox any more. */
@Tag("servers")
@ExtendWith(OutputCaptureExtension.class)
class LeftRowsTest {

    private static final Duration SHORTLY = Duration.ofMillis(50);

    /** Version 1, one message: over "rabbit", to "x", without content. */
    private static final byte[] MESSAGES =
            HexFormat.of().parseHex("01" + "00000001" + "00000006726162626974" + "0000000178" + "00000000");

    private final TestDatabase database = new TestDatabase();
    private final RecordingTransport broker = new RecordingTransport("rabbit");
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceTransactionManagerAutoConfiguration.class,
                    InboxAutoConfiguration.class,
                    OutboxAutoConfiguration.class))
            .withBean(DataSource.class, database::dataSource)
            .withBean(OutgoingTransport.class, () -> broker)
            .withBean(Pauses.class, () -> new Pauses(SHORTLY, SHORTLY, SHORTLY))
            .withPropertyValues("spring.application.name=shop");

    @AfterEach
    void close() {
        database.close();
    }

    private void leave(String scope, String age) {
        new InboxSchema(database.dataSource(), new JdbcTransactionManager(database.dataSource())).create();
        database.jdbc()
                .update(
                        "INSERT INTO idem_record (key_id, scope, state, attempts, grant_kind, fence, at, expires_at, owner, relay_at, outgoing)"
                                + " VALUES ('k', ?, 2, 1, 0, 1, now() - ?::interval, now() + interval '1 day', 'twelve bytes',"
                                + " now() - ?::interval, ?)",
                        scope,
                        age,
                        age,
                        MESSAGES);
    }

    private int unsent() {
        return database.count("SELECT count(*) FROM idem_record WHERE relay_at IS NOT NULL");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http.shop, spring.application.name=shop",
                "orders, idem.http.scope=orders",
                "http.former, idem.jdbc.outbox.scopes=http.former",
                "http.former, idem.jdbc.outbox.scopes=orders\\,http.former"
            })
    void whatWaitsInAScopeOfTheApplicationIsSent(String scopeAndSetting) {
        String scope = scopeAndSetting.substring(0, scopeAndSetting.indexOf(", "));
        leave(scope, "1 hour");

        application
                .withPropertyValues(
                        scopeAndSetting.substring(scope.length() + 2).replace("\\,", ","))
                .run(context -> {
                    await().untilAsserted(() -> assertThat(unsent()).isZero());
                    assertThat(broker.received()).hasSize(1);
                });
    }

    @Test
    void whatWaitsInAScopeWithAParticipantWithoutAnInboxIsSent() {
        leave("orders", "1 hour");
        ScopeRegistry registry = new ScopeRegistry(InMemoryIdempotencyStore::new);
        registry.register(new Scope("orders"), "a route without an inbox");

        application
                .withBean(ScopeRegistry.class, () -> registry)
                .run(context -> await().untilAsserted(() -> assertThat(unsent()).isZero()));
    }

    @Test
    void whatWaitsInAScopeOfARouteThatIsOffIsSent() {
        leave("orders", "1 hour");

        application
                .withBean(OwnedScopes.class, () -> () -> Set.of("orders"))
                .run(context -> await().untilAsserted(() -> assertThat(unsent()).isZero()));
    }

    @Test
    void whatWaitsInAScopeThatNobodyHereHasIsCountedAndToldOfOnceAndStays(CapturedOutput output) {
        leave("http.former", "1 hour");

        application.run(context -> {
            await().untilAsserted(() -> assertThat(output)
                    .contains("WARN", "scope=http.former, rows=1, oldestSeconds=3", "idem.jdbc.outbox.scopes"));
            assertThat(context.getBean(OutboxRelay.class).report().waiting())
                    .singleElement()
                    .satisfies(each ->
                            assertThat(each).isEqualTo(new Waiting("", "http.former", 1, each.oldestSeconds(), false)));
            assertThat(output).containsOnlyOnce("idem.jdbc.outbox.scopes");
            assertThat(unsent()).isEqualTo(1);
            assertThat(broker.received()).isEmpty();
        });
    }

    @Test
    void whatWaitsForLessThanTenDelaysIsNotToldOf(CapturedOutput output) {
        leave("http.former", "5 minutes");

        application.run(context -> {
            await().until(() ->
                    !context.getBean(OutboxRelay.class).report().waiting().isEmpty());
            assertThat(output).doesNotContain("idem.jdbc.outbox.scopes");
        });
    }

    @Test
    void aScopeWhoseStatementsFailHoldsUpNoOther(CapturedOutput output) {
        leave("broken", "1 hour");
        leave("orders", "1 hour");
        database.jdbc()
                .execute("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
                        + " $$ BEGIN RAISE EXCEPTION 'refused by a test'; END $$");
        database.jdbc()
                .execute("CREATE TRIGGER refuse BEFORE UPDATE ON idem_record FOR EACH ROW"
                        + " WHEN (OLD.scope = 'broken') EXECUTE FUNCTION refuse()");

        application.withPropertyValues("idem.jdbc.outbox.scopes=broken,orders").run(context -> {
            await().untilAsserted(() -> assertThat(unsent()).isEqualTo(1));
            assertThat(output).contains("what waits in scope broken", "refused by a test");
        });
    }

    @Test
    void anApplicationWithoutATableOrWithAnotherVersionOfItIsLeftInPeace(CapturedOutput output) {
        application.run(context -> {
            assertThat(context.getBean(OutboxRelay.class).relay()).isZero();
            database.jdbc().execute("CREATE TABLE idem_record (of_somebody_else integer)");
            assertThat(context.getBean(OutboxRelay.class).relay()).isZero();
            assertThat(output).doesNotContain("WARN");
        });
    }
}
