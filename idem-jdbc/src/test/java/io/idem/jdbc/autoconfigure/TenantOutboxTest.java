package io.idem.jdbc.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.ConfigurationException;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Inbox.Effect;
import io.idem.Lease;
import io.idem.Outbox;
import io.idem.OutgoingMessage;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.TenantDataSources;
import io.idem.jdbc.TestDatabase;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.outbox.JdbcOutbox;
import io.idem.jdbc.outbox.OutboxRelay;
import io.idem.jdbc.outbox.RecordingTransport;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.OperatorAct;
import io.idem.operations.RecordOperator;
import io.idem.operations.UnsentMessages.Waiting;
import io.idem.spi.OutgoingTransport;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
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
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** An outbox in the databases of tenants, of which the data source chooses one by its caller. */
@Tag("servers")
@ExtendWith(OutputCaptureExtension.class)
class TenantOutboxTest {

    private static final Scope SCOPE = new Scope("http.shop");
    private static final Duration SHORTLY = Duration.ofMillis(50);

    private final ThreadLocal<String> caller = new ThreadLocal<>();
    private final TestDatabase north = new TestDatabase();
    private final TestDatabase south = new TestDatabase();
    private final RecordingTransport broker = new RecordingTransport("rabbit");
    private final Map<String, DataSource> tenants = new ConcurrentHashMap<>();
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceTransactionManagerAutoConfiguration.class,
                    InboxAutoConfiguration.class,
                    OutboxAutoConfiguration.class))
            .withBean(DataSource.class, () -> routing(null))
            .withBean(OutgoingTransport.class, () -> broker)
            .withBean(Pauses.class, () -> new Pauses(SHORTLY, SHORTLY, SHORTLY))
            .withPropertyValues("idem.jdbc.initialize-schema=always");

    TenantOutboxTest() {
        tenants.put("north", north.dataSource());
        tenants.put("south", south.dataSource());
    }

    @AfterEach
    void close() {
        north.close();
        south.close();
    }

    private ApplicationContextRunner withTenants() {
        return application.withBean(TenantDataSources.class, () -> () -> tenants);
    }

    private DataSource routing(@Nullable DataSource otherwise) {
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected @Nullable Object determineCurrentLookupKey() {
                return caller.get();
            }
        };
        routing.setTargetDataSources(Map.copyOf(tenants));
        if (otherwise != null) {
            routing.setDefaultTargetDataSource(otherwise);
        }
        routing.afterPropertiesSet();
        return routing;
    }

    private void pay(Outbox outbox, String tenant, String key) throws Exception {
        caller.set(tenant);
        try {
            pay(outbox.inbox(SCOPE), key);
        } finally {
            caller.remove();
        }
    }

    private static void pay(Inbox inbox, String key) throws Exception {
        RecordId record = new RecordId(IdempotencyKey.of(key), SCOPE);
        Lease lease = new Lease(
                record, OwnerToken.random(new SecureRandom()), 1, 1, Duration.ofSeconds(30), Duration.ofHours(1));
        var unused = inbox.run(
                new Inbox.Request(lease, Fingerprint.NONE),
                mine -> Optional.of(new Effect(StoredResult.NONE, List.of(message(key)))));
    }

    private static OutgoingMessage message(String key) {
        return new OutgoingMessage("rabbit", "orders", key.getBytes(StandardCharsets.UTF_8));
    }

    /** Commits as a process that dies before it publishes. */
    private void payAndDie(TestDatabase database, String key) throws Exception {
        OutboxRelay dead = new OutboxRelay(database.dataSource(), () -> List.of(broker), Duration.ofHours(1));
        pay(
                new JdbcOutbox(database.dataSource(), new JdbcTransactionManager(database.dataSource()), dead)
                        .inbox(SCOPE),
                key);
        database.jdbc().update("UPDATE idem_record SET relay_at = at WHERE relay_at IS NOT NULL");
    }

    private static int unsent(TestDatabase database) {
        return database.count("SELECT count(*) FROM idem_record WHERE relay_at IS NOT NULL");
    }

    @Test
    void messagesOfEachTenantLeaveAtOnceAndThoseOfDeadProcessesWhenTheyAreDue() {
        withTenants().run(context -> {
            Outbox outbox = context.getBean(Outbox.class);
            pay(outbox, "north", "north-1");
            pay(outbox, "south", "south-1");

            await().untilAsserted(() ->
                    assertThat(broker.received()).containsExactlyInAnyOrder(message("north-1"), message("south-1")));

            payAndDie(north, "north-2");
            payAndDie(south, "south-2");

            await().untilAsserted(() -> assertThat(broker.received())
                    .containsExactlyInAnyOrder(
                            message("north-1"), message("south-1"), message("north-2"), message("south-2")));
            await().untilAsserted(
                            () -> assertThat(unsent(north) + unsent(south)).isZero());
        });
    }

    @Test
    void tenantsThatComeLaterAreServedToo() {
        tenants.remove("south");
        withTenants().run(context -> {
            assertThat(context.getBean(Outbox.class).inbox(SCOPE)).isNotNull();
            new InboxSchema(south.dataSource(), new JdbcTransactionManager(south.dataSource())).create();
            payAndDie(south, "south");
            assertThat(broker.received()).isEmpty();

            tenants.put("south", south.dataSource());

            await().untilAsserted(() -> assertThat(broker.received()).containsExactly(message("south")));
        });
    }

    @Test
    void rowsThatWaitAreGaugedByTenantAndScope() {
        broker.goAway();
        withTenants().run(context -> {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            context.getBean(MeterBinder.class).bindTo(registry);
            pay(context.getBean(Outbox.class), "south", "k");
            south.jdbc().update("UPDATE idem_record SET at = now() - interval '1 hour'");

            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(gauge(registry, "idem.outbox.unsent", "south"))
                            .isEqualTo(1));
            await().untilAsserted(() ->
                    assertThat(gauge(registry, "idem.outbox.oldest", "south")).isGreaterThan(3_599));
            assertThat(gauge(registry, "idem.outbox.unsent", "north")).isZero();
        });
    }

    private static double gauge(SimpleMeterRegistry registry, String name, String tenant) {
        return registry.get(name)
                .tags("tenant", tenant, "scope", SCOPE.name())
                .gauge()
                .value();
    }

    @Test
    void oldRowsOfAllTenantsAreDeleted() {
        withTenants().run(context -> {
            assertThat(context.getBean(Outbox.class).inbox(SCOPE)).isNotNull();
            for (TestDatabase database : List.of(north, south)) {
                database.jdbc()
                        .update("INSERT INTO idem_record (key_id, scope, state, attempts, grant_kind, fence, at, expires_at)"
                                + " VALUES ('k', 's', 2, 1, 0, 1, now(), now() - interval '2 hours')");
            }

            await().untilAsserted(() ->
                    assertThat(north.inboxRows() + south.inboxRows()).isZero());
        });
    }

    private static void leaveOldRow(TestDatabase database) {
        database.jdbc().execute("CREATE TABLE idem_inbox (key_id text)");
        database.jdbc().update("INSERT INTO idem_inbox VALUES ('k')");
    }

    @Test
    void aTenantWithRowsOfAnEarlierVersionIsRefused() {
        leaveOldRow(south);

        withTenants().run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("The table idem_inbox of an earlier version has rows")
                .hasMessageContaining("idem.jdbc.forget-old-rows=true"));
        withTenants()
                .withPropertyValues("idem.jdbc.forget-old-rows=true")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void rowsOfAnEarlierVersionOfATenantThatComesLaterAreTold(CapturedOutput output) {
        leaveOldRow(south);
        tenants.remove("south");
        withTenants().run(context -> {
            assertThat(context.getBean(Outbox.class).inbox(SCOPE)).isNotNull();
            tenants.put("south", south.dataSource());

            await().untilAsserted(() -> assertThat(output)
                    .contains("The deletion of old rows for tenant south failed")
                    .contains("The table idem_inbox of an earlier version has rows"));
        });
    }

    @Test
    void whatCannotBeCountedIsGaugedAsUnknownAndToldOf(CapturedOutput output) {
        withTenants().run(context -> {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            context.getBean(MeterBinder.class).bindTo(registry);
            pay(context.getBean(Outbox.class), "south", "k");
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(gauge(registry, "idem.outbox.unsent", "south"))
                            .isZero());

            south.jdbc().execute("ALTER TABLE idem_record RENAME COLUMN relay_at TO elsewhere");

            await().untilAsserted(() ->
                    assertThat(gauge(registry, "idem.outbox.unsent", "south")).isNaN());
            assertThat(gauge(registry, "idem.outbox.oldest", "south")).isNaN();
            assertThat(gauge(registry, "idem.outbox.unsent", "north")).isZero();
            assertThat(output).contains("WARN", "could not look for messages of tenant south");
            assertThat(context.getBean(OutboxRelay.class).report().waiting())
                    .contains(new Waiting("south", SCOPE.name(), -1, -1, true));
        });
    }

    @Test
    void aTenantWhoseDatabaseIsDownHoldsUpNoOther(CapturedOutput output) {
        Map<String, DataSource> withOneDown = new HashMap<>(tenants);
        withOneDown.put("down", new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                throw new SQLException("Connection refused");
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return getConnection();
            }
        });
        application.withBean(TenantDataSources.class, () -> () -> withOneDown).run(context -> {
            pay(context.getBean(Outbox.class), "north", "k");
            payAndDie(south, "south");

            await().untilAsserted(() -> assertThat(broker.received()).contains(message("k"), message("south")));
            assertThat(output)
                    .contains("The check of the tables for tenant down failed")
                    .contains("The relay could not look for messages of tenant down");
        });
    }

    @Test
    void anOutboxWhoseDataSourceChoosesAmongUnnamedDatabasesIsRefused() {
        ApplicationContextRunner withDefault = application.withBean(
                "routing", DataSource.class, () -> routing(north.dataSource()), bean -> bean.setPrimary(true));
        withDefault.run(context -> assertThatThrownBy(() -> context.getBean(Outbox.class))
                .satisfies(refused ->
                        assertThat(refusal(refused)).contains("TenantDataSources", "idem.jdbc.single-database=true")));
        withDefault.run(context -> assertThat(context).as("without an outbox").hasNotFailed());
    }

    @Test
    void anOperatorDoesNotCompleteWorkWhoseDatabaseIsNotKnown() {
        withTenants()
                .withBean("routing", DataSource.class, () -> routing(north.dataSource()), bean -> bean.setPrimary(true))
                .run(context -> {
                    InMemoryIdempotencyStore store = new InMemoryIdempotencyStore();
                    RecordId record = new RecordId(IdempotencyKey.of("k"), SCOPE);
                    Duration hour = Duration.ofHours(1);
                    var unused = store.acquire(new AcquireRequest(
                            record, OwnerToken.random(new SecureRandom()), hour, hour, Fingerprint.NONE, 0, 0));

                    OperatorAct act = new RecordOperator(
                                    store,
                                    scope -> hour,
                                    done -> {},
                                    () -> Optional.of(context.getBean(Inbox.class)),
                                    result -> {})
                            .act(OperatorAct.Action.COMPLETE, record, "anna", "ticket 7");

                    assertThat(act.done()).isFalse();
                    assertThat(act.failure()).get().asString().contains("Each tenant has a database", "Release the key");
                });
    }

    private static String refusal(Throwable failure) {
        Throwable root = requireNonNull(NestedExceptionUtils.getRootCause(failure));
        return root.getMessage() + ((ConfigurationException) root).action();
    }

    @Test
    void whereAllTargetsAreOneDatabaseTheOutboxWorks() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceTransactionManagerAutoConfiguration.class,
                        InboxAutoConfiguration.class,
                        OutboxAutoConfiguration.class))
                .withBean(DataSource.class, () -> new LazyConnectionDataSourceProxy(routing(north.dataSource())))
                .withBean(OutgoingTransport.class, () -> broker)
                .withPropertyValues("idem.jdbc.initialize-schema=always", "idem.jdbc.single-database=true")
                .run(context -> {
                    pay(context.getBean(Outbox.class).inbox(SCOPE), "k");

                    await().untilAsserted(() -> assertThat(unsent(north)).isZero());
                    assertThat(broker.received()).containsExactly(message("k"));
                });
    }

    @Test
    void aRowThatIsNotWhereTheRelayLooksIsToldOf(CapturedOutput output) {
        application
                .withPropertyValues("idem.jdbc.single-database=true")
                .withBean("routing", DataSource.class, () -> routing(north.dataSource()), bean -> bean.setPrimary(true))
                .run(context -> {
                    new InboxSchema(south.dataSource(), new JdbcTransactionManager(south.dataSource())).create();
                    pay(context.getBean(Outbox.class), "south", "k");

                    await().untilAsserted(() -> assertThat(output)
                            .contains("WARN", IdempotencyKey.of("k").id() + ":" + SCOPE, "but the row is not in"));
                });
    }

    @Test
    void whereDatabasesAreNotNamedOldRowsAreNotDeletedInOneOnly(CapturedOutput output) {
        application
                .withBean("routing", DataSource.class, () -> routing(north.dataSource()), bean -> bean.setPrimary(true))
                .run(context -> {
                    assertThat(context.getBean(Inbox.class)).isNotNull();

                    await().untilAsserted(() -> assertThat(output)
                            .contains("Old inbox-rows could not be deleted", "chooses a database by its caller"));
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void inCodeARelayIsRefusedADataSourceThatChooses(boolean lazy) {
        DataSource routing = routing(north.dataSource());

        assertThat(refusalInCode(lazy ? new LazyConnectionDataSourceProxy(routing) : routing))
                .contains("TenantDataSources");
    }

    private static String refusalInCode(DataSource dataSource) {
        try {
            var unused = new OutboxRelay(dataSource, List::of, Duration.ofMinutes(1));
            return "none";
        } catch (IllegalArgumentException refused) {
            return String.valueOf(refused.getMessage());
        }
    }
}
