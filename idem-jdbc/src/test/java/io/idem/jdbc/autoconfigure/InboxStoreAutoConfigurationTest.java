package io.idem.jdbc.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.idem.ConfigurationException;
import io.idem.ExecutionPolicy;
import io.idem.FailurePolicy;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.TenantDataSources;
import io.idem.jdbc.TestDatabase;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.jdbc.store.RecordCleaner;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordLister;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.ClassUtils;

/** An application whose only store is the inbox, with the auto-configuration of the engine, of Redis and of idem-jdbc. */
@Tag("servers")
class InboxStoreAutoConfigurationTest {

    private static final Scope SHOP = new Scope("shop");

    private final TestDatabase database = new TestDatabase();
    private final ApplicationContextRunner bare = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(configurations()))
            .withPropertyValues("idem.store=inbox", "idem.jdbc.initialize-schema=always");
    private final ApplicationContextRunner application = bare.withBean(DataSource.class, database::dataSource);

    private static Class<?>[] configurations() {
        Stream<String> common = Stream.of(
                        "IdemKillSwitch",
                        "Idem",
                        "IdemRedis",
                        "IdemJson",
                        "IdemResult",
                        "IdemCache",
                        "IdemUnservedStore")
                .map(name -> "io.idem.autoconfigure." + name + "AutoConfiguration");
        return Stream.concat(
                        common.map(name -> ClassUtils.resolveClassName(name, null)),
                        Stream.of(
                                DataSourceTransactionManagerAutoConfiguration.class,
                                InboxAutoConfiguration.class,
                                OutboxAutoConfiguration.class,
                                StoreAutoConfiguration.class,
                                InboxStoreAutoConfiguration.class))
                .toArray(Class<?>[]::new);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Outcome<String> pay(IdempotentExecutor executor, String key, ExecutionPolicy policy) throws Exception {
        return executor.execute(Operation.of(IdempotencyKey.of(key), SHOP, policy), context -> {
            database.pay(key);
            return new WorkResult.Complete<>("paid", StoredResult.NONE);
        });
    }

    private static String refusal(@Nullable Throwable failure) {
        ConfigurationException refused = FailurePolicy.causes(requireNonNull(failure))
                .filter(ConfigurationException.class::isInstance)
                .map(ConfigurationException.class::cast)
                .findFirst()
                .orElseThrow();
        return refused.getMessage() + refused.action();
    }

    @Test
    void workRunsOnceInTheInboxAlthoughNothingAsksForIt() {
        application.run(context -> {
            assertThat(context)
                    .hasSingleBean(IdempotencyStore.class)
                    .hasSingleBean(RecordLister.class)
                    .hasSingleBean(InboxStore.class);
            IdempotentExecutor executor = context.getBean(IdempotentExecutor.class);
            ExecutionPolicy policy = context.getBean(ExecutionPolicy.class);
            assertThat(pay(executor, "order-1", policy)).isInstanceOf(Outcome.Executed.class);
            assertThat(pay(executor, "order-1", policy)).isInstanceOf(Outcome.Replayed.class);
            assertThat(database.ledger()).containsExactly("order-1");
            assertThat(context.getBean(IdempotencyStore.class).inspectAll(IdempotencyKey.of("order-1")))
                    .singleElement()
                    .satisfies(record -> assertThat(record.state()).isEqualTo(RecordState.COMPLETED));
        });
    }

    @Test
    void anApplicationWithoutLettuceStarts() {
        application
                .withClassLoader(new FilteredClassLoader("io.lettuce"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(InboxStore.class));
    }

    @Test
    void redisWithoutLettuceIsRefusedByName() {
        application
                .withClassLoader(new FilteredClassLoader("io.lettuce"))
                .withPropertyValues("idem.store=redis")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("idem.store: redis needs io.lettuce:lettuce-core"));
    }

    @Test
    void theCleanerDeletesOldFailures() {
        application.run(context -> {
            database.jdbc()
                    .update("INSERT INTO idem_record (key_id, scope, state, attempts, grant_kind, fence, at, expires_at)"
                            + " VALUES ('old', 'shop', 3, 1, 0, 1, now(), now() - interval '2 days')");
            assertThat(context.getBean(RecordCleaner.class).clean()).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "idem.redis.url=redis://127.0.0.1:1",
                "idem.redis.checks.clock=warn",
                "idem.postgresql.copy-life=1m",
                "idem.cache.enabled=true"
            })
    void aSettingOfAnotherStoreIsRefusedByName(String setting) {
        application
                .withPropertyValues(setting)
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .contains("Setting " + setting.substring(0, setting.indexOf('=')) + " ")
                        .contains("choose another idem.store"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "IDEM_REDIS_PORT=tcp://10.0.0.1:6379",
                "IDEM_REDIS_SERVICE_HOST=10.0.0.1",
                "IDEM_REDIS_SERVICE_PORT=6379",
                "IDEM_REDIS_SERVICE_PORT_REDIS=6379",
                "IDEM_REDIS_MASTER_PORT_6379_TCP=tcp://10.0.0.1:6379",
                "IDEM_POSTGRESQL_PORT_5432_TCP=tcp://10.0.0.1:5432",
                "IDEM_POSTGRESQL_PORT_5432_TCP_PROTO=tcp",
                "IDEM_POSTGRESQL_PORT_5432_TCP_PORT=5432",
                "IDEM_POSTGRESQL_PORT_5432_TCP_ADDR=10.0.0.1"
            })
    void variablesThatKubernetesSetsForAServiceAreNoSettings(String variable) {
        withVariable(variable).run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource({
        "IDEM_REDIS_URL=redis://10.0.0.1, idem.redis.url",
        "IDEM_REDIS_PORT=6379, idem.redis.port",
        "IDEM_REDIS_RETRY_BUDGET=3s, idem.redis.retry.budget",
        "IDEM_POSTGRESQL_COPY_LIFE=1m, idem.postgresql.copy.life"
    })
    void aVariableThatIsASettingOfAnotherStoreIsRefused(String variable, String setting) {
        withVariable(variable)
                .run(context -> assertThat(refusal(context.getStartupFailure())).contains("Setting " + setting + " "));
    }

    @Test
    void aSettingInTheShapeOfAServiceIsRefusedOutsideTheEnvironment() {
        application
                .withPropertyValues("idem.redis.service.host=10.0.0.1")
                .run(context ->
                        assertThat(refusal(context.getStartupFailure())).contains("Setting idem.redis.service.host "));
    }

    private ApplicationContextRunner withVariable(String variable) {
        return application.withInitializer(context -> TestPropertyValues.of(variable)
                .applyTo(context.getEnvironment(), TestPropertyValues.Type.SYSTEM_ENVIRONMENT));
    }

    @Test
    void theInboxSwitchedOffIsRefusedByName() {
        application
                .withPropertyValues("idem.jdbc.enabled=false")
                .run(context ->
                        assertThat(refusal(context.getStartupFailure())).contains("Setting idem.jdbc.enabled is"));
    }

    @Test
    void anApplicationWithoutADataSourceLearnsWhatToAdd() {
        bare.run(context -> assertThat(refusal(context.getStartupFailure()))
                .contains("no DataSource")
                .contains("Add spring-boot-starter-jdbc and set spring.datasource.url"));
    }

    @Test
    void anApplicationWithTwoDataSourcesLearnsToChoose() {
        application
                .withBean("other", DataSource.class, database::dataSource)
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .contains("2 beans of type DataSource: ", "other")
                        .contains("@Primary"));
    }

    @Test
    void anApplicationWithoutATransactionManagerLearnsWhatToAdd() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(InboxAutoConfiguration.class, InboxStoreAutoConfiguration.class))
                .withBean(DataSource.class, database::dataSource)
                .withPropertyValues("idem.store=inbox")
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .contains("no PlatformTransactionManager")
                        .contains("JdbcTransactionManager"));
    }

    @Test
    void aManagerOfTheApplicationIsTaken() {
        application
                .withBean(PlatformTransactionManager.class, () -> new JdbcTransactionManager(database.dataSource()))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aStoreOfTheApplicationBesideItIsRefused() {
        application
                .withBean(IdempotencyStore.class, InMemoryIdempotencyStore::new)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("a store of its own, InMemoryIdempotencyStore"));
    }

    @Test
    void aStoreOfTheApplicationThatReadsTheRowsIsTaken() {
        withOwnInboxStore().run(context -> {
            assertThat(context).hasSingleBean(IdempotencyStore.class);
            IdempotentExecutor executor = context.getBean(IdempotentExecutor.class);
            ExecutionPolicy policy = context.getBean(ExecutionPolicy.class);
            assertThat(pay(executor, "order-4", policy)).isInstanceOf(Outcome.Executed.class);
            assertThat(pay(executor, "order-4", policy)).isInstanceOf(Outcome.Replayed.class);
            assertThat(database.ledger()).containsExactly("order-4");
        });
    }

    @Test
    void theChecksApplyBesideAStoreOfTheApplication() {
        withOwnInboxStore()
                .withPropertyValues("idem.redis.url=redis://127.0.0.1:1")
                .run(context -> assertThat(refusal(context.getStartupFailure())).contains("Setting idem.redis.url "));
        database.jdbc().execute("DROP TABLE idem_record");
        withOwnInboxStore()
                .withPropertyValues("idem.jdbc.initialize-schema=never")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("idem_record"));
    }

    private ApplicationContextRunner withOwnInboxStore() {
        return application.withBean("rows", InboxStore.class, () -> new InboxStore(database.dataSource()));
    }

    @Test
    void anInboxOfTheApplicationThatIsAStoreIsTaken() {
        application
                .withUserConfiguration(OwnInbox.class)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Inbox.class));
    }

    /** An inbox of the application's data source, on the rows that the store reads. */
    @Configuration(proxyBeanMethods = false)
    static class OwnInbox {

        @Bean
        Inbox ownInbox(DataSource dataSource, PlatformTransactionManager transactions, InboxStore store) {
            return new JdbcInbox(dataSource, transactions).asStore(store);
        }
    }

    @Test
    void anInboxOfTheApplicationThatIsNoStoreIsRefused() {
        application
                .withBean(
                        Inbox.class,
                        () -> new JdbcInbox(database.dataSource(), new JdbcTransactionManager(database.dataSource())))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("own inbox, JdbcInbox, is not a store")
                        .hasStackTraceContaining("asStore(store)"));
    }

    @Test
    void anExecutorOfTheApplicationWithoutTheInboxIsRefused() {
        application
                .withUserConfiguration(ExecutorWithoutInbox.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Setting idem.store: inbox")
                        .hasStackTraceContaining("own IdempotentExecutor has no inbox")
                        .hasStackTraceContaining("IdempotentExecutor.on(store).inbox(inbox)"));
    }

    /** An executor that would leave work to the store. */
    @Configuration(proxyBeanMethods = false)
    static class ExecutorWithoutInbox {

        @Bean
        IdempotentExecutor ownExecutor(IdempotencyStore store) {
            return IdempotentExecutor.on(store).build();
        }
    }

    @Test
    void anExecutorOfTheApplicationThatWorksInTheRowsIsTaken() {
        application.withUserConfiguration(ExecutorWithInbox.class).run(context -> {
            IdempotentExecutor executor = context.getBean(IdempotentExecutor.class);
            ExecutionPolicy policy = context.getBean(ExecutionPolicy.class);
            assertThat(pay(executor, "order-5", policy)).isInstanceOf(Outcome.Executed.class);
            assertThat(pay(executor, "order-5", policy)).isInstanceOf(Outcome.Replayed.class);
        });
    }

    /** An executor with parts of the application. */
    @Configuration(proxyBeanMethods = false)
    static class ExecutorWithInbox {

        @Bean
        IdempotentExecutor ownExecutor(IdempotencyStore store, Inbox inbox) {
            return IdempotentExecutor.on(store).inbox(inbox).build();
        }
    }

    @Test
    void anExecutorBesideAStoreThatReadsOtherRecordsIsRefused() {
        JdbcInbox rows = new JdbcInbox(database.dataSource(), new JdbcTransactionManager(database.dataSource()))
                .asStore(new InboxStore(database.dataSource()));
        application
                .withBean(IdempotencyStore.class, InMemoryIdempotencyStore::new)
                .withBean(
                        IdempotentExecutor.class,
                        () -> IdempotentExecutor.on(new InMemoryIdempotencyStore())
                                .inbox(rows)
                                .build())
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("a store of its own, InMemoryIdempotencyStore"));
    }

    @Test
    void anExecutorOfTheApplicationMayStayWhereTheKillSwitchIsOn() {
        application
                .withUserConfiguration(ExecutorWithoutInbox.class)
                .withPropertyValues("idem.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"idem.takeover=reject", "idem.scopes.shop.takeover=reject"})
    void takeoversOfUnknownOutcomesAreRefused(String setting) {
        application
                .withPropertyValues(setting)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Setting idem.takeover: reject of "
                                + (setting.contains("shop") ? "idem.scopes.shop" : "idem ")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "off", "no", "0"})
    void theKillSwitchLeavesWorkUnguarded(String off) {
        application.withPropertyValues("idem.enabled=" + off).run(context -> {
            IdempotentExecutor executor = context.getBean(IdempotentExecutor.class);
            ExecutionPolicy policy = context.getBean(ExecutionPolicy.class);
            assertThat(pay(executor, "order-2", policy)).isInstanceOf(Outcome.Executed.class);
            assertThat(pay(executor, "order-2", policy)).isInstanceOf(Outcome.Executed.class);
            assertThat(database.ledger()).containsExactly("order-2", "order-2");
            assertThat(executor.inbox()).isEmpty();
        });
    }

    @Test
    void aDuplicateOfWorkUnderWayIsToldSoAtOnce() {
        application.run(context -> {
            IdempotentExecutor executor = context.getBean(IdempotentExecutor.class);
            ExecutionPolicy policy = context.getBean(ExecutionPolicy.class);
            Operation operation = Operation.of(IdempotencyKey.of("order-3"), SHOP, policy);
            Outcome<Outcome<String>> outer = executor.execute(operation, first -> {
                return new WorkResult.Complete<>(
                        inAnotherThread(() -> pay(executor, "order-3", policy)), StoredResult.NONE);
            });
            assertThat(outer)
                    .isInstanceOfSatisfying(
                            Outcome.Executed.class,
                            executed -> assertThat(executed.value()).isInstanceOf(Outcome.InProgress.class));
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDataSourceThatNeedsACallerIsRefusedAsItsOutagesWouldNotEnd(boolean lazy) {
        bare.withBean(TenantDataSources.class, () -> () -> Map.of("north", database.dataSource()))
                .withBean(DataSource.class, () -> lazy ? new LazyConnectionDataSourceProxy(routing()) : routing())
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .contains("whether an outage has ended", "setDefaultTargetDataSource", "idem.store=redis"));
    }

    @Test
    void aDataSourceWithADatabaseForNobodyIsAskedWithoutACaller() {
        AbstractRoutingDataSource routing = routing();
        routing.setDefaultTargetDataSource(database.dataSource());
        routing.afterPropertiesSet();
        bare.withBean(TenantDataSources.class, () -> () -> Map.of("north", database.dataSource()))
                .withBean(DataSource.class, () -> routing)
                .run(context -> assertThatCode(context.getBean(IdempotencyStore.class)::check)
                        .doesNotThrowAnyException());
    }

    private AbstractRoutingDataSource routing() {
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected @Nullable Object determineCurrentLookupKey() {
                return null;
            }
        };
        routing.setTargetDataSources(Map.of("north", database.dataSource()));
        routing.afterPropertiesSet();
        return routing;
    }

    private static <T> T inAnotherThread(Callable<T> call) throws Exception {
        return CompletableFuture.supplyAsync(() -> {
                    try {
                        return call.call();
                    } catch (Exception failure) {
                        throw new IllegalStateException(failure);
                    }
                })
                .get(2, TimeUnit.MINUTES);
    }
}
