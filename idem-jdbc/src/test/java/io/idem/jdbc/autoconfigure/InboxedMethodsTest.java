package io.idem.jdbc.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.idem.IdempotencyContext;
import io.idem.Idempotent;
import io.idem.InboxTransaction;
import io.idem.jdbc.TestDatabase;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ClassUtils;

/** Methods of beans whose writes and the fact that they ran are one commit, beside a store and with the inbox alone. */
@Tag("servers")
class InboxedMethodsTest {

    private final TestDatabase database = new TestDatabase();

    @AfterEach
    void close() {
        database.close();
    }

    private static Class<?>[] configurations() {
        return Stream.concat(
                        Stream.of("IdemKillSwitch", "Idem", "IdemMethods", "IdemJson", "IdemResult")
                                .map(name -> ClassUtils.resolveClassName(
                                        "io.idem.autoconfigure." + name + "AutoConfiguration", null)),
                        Stream.of(
                                DataSourceTransactionManagerAutoConfiguration.class,
                                InboxAutoConfiguration.class,
                                InboxStoreAutoConfiguration.class))
                .toArray(Class<?>[]::new);
    }

    private ApplicationContextRunner application(Class<?>... beans) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(configurations()))
                .withBean(DataSource.class, database::dataSource)
                .withBean(JdbcTemplate.class, () -> new JdbcTemplate(database.dataSource()))
                .withPropertyValues("idem.jdbc.initialize-schema=always")
                .withUserConfiguration(beans);
    }

    private ApplicationContextRunner besideStore(Class<?>... beans) {
        return application(beans).withBean(IdempotencyStore.class, InMemoryIdempotencyStore::new);
    }

    record Paid(String id) {}

    @EnableAsync
    @EnableTransactionManagement
    static class Ledger {

        private final JdbcTemplate jdbc;
        private final AtomicInteger calls = new AtomicInteger();

        Ledger(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        int calls() {
            return calls.get();
        }

        @Async
        @TransactionalEventListener
        @Idempotent(scope = "ledger", key = "#paid.id()", inbox = true)
        void enter(Paid paid) {
            calls.incrementAndGet();
            jdbc.update("INSERT INTO ledger VALUES (?)", paid.id());
        }

        @Transactional
        @Idempotent(scope = "failing", key = "#id", inbox = true)
        String failOnce(String id) {
            jdbc.update("INSERT INTO ledger VALUES (?)", id);
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("after the write");
            }
            return "entered " + id;
        }
    }

    @Test
    void anEventThatComesTwiceIsEnteredOnce() {
        besideStore(Ledger.class).run(context -> {
            TransactionTemplate publisher = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            publisher.executeWithoutResult(status -> context.publishEvent(new Paid("p1")));
            await().atMost(Duration.ofMinutes(5)).until(() -> database.inboxRows() == 1);
            publisher.executeWithoutResult(status -> context.publishEvent(new Paid("p1")));
            publisher.executeWithoutResult(status -> context.publishEvent(new Paid("p2")));
            await().atMost(Duration.ofMinutes(5)).until(() -> database.inboxRows() == 2);

            assertThat(database.ledger()).containsExactly("p1", "p2");
            assertThat(context.getBean(Ledger.class).calls()).isEqualTo(2);
        });
    }

    @Test
    void aFailureRollsBackWhatTheMethodWrote() {
        besideStore(Ledger.class).run(context -> {
            Ledger ledger = context.getBean(Ledger.class);

            assertThatThrownBy(() -> ledger.failOnce("p1")).hasMessage("after the write");
            assertThat(database.ledger()).isEmpty();
            assertThat(ledger.failOnce("p1")).isEqualTo("entered p1");
            assertThat(ledger.failOnce("p1")).isEqualTo("entered p1");
            assertThat(database.ledger()).containsExactly("p1");
        });
    }

    static class Phases {

        private final JdbcTemplate jdbc;

        Phases(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Idempotent(scope = "phases", key = "#id", inbox = true, transaction = InboxTransaction.LAST_PHASE)
        int pay(String id) {
            IdempotencyContext attempt = IdempotencyContext.current().orElseThrow();
            String charge = attempt.step("charge", String.class, step -> "charge of " + id);
            return attempt.inTransaction(() -> jdbc.update("INSERT INTO ledger VALUES (?)", charge));
        }
    }

    @Test
    void aTransactionMayBeTheLastPhaseOfAMethod() {
        besideStore(Phases.class).run(context -> {
            Phases phases = context.getBean(Phases.class);

            assertThat(phases.pay("p1")).isOne();
            assertThat(phases.pay("p1")).isOne();
            assertThat(database.ledger()).containsExactly("charge of p1");
        });
    }

    static class ImpliedPhases {

        private final JdbcTemplate jdbc;

        ImpliedPhases(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Idempotent(scope = "phases", key = "#id", transaction = InboxTransaction.LAST_PHASE)
        int pay(String id) {
            return IdempotencyContext.current()
                    .orElseThrow()
                    .inTransaction(() -> jdbc.update("INSERT INTO ledger VALUES (?)", id));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLastPhaseHasTheInboxThatItsStoreImpliesAlsoWhereIdemIsSwitchedOff(boolean enabled) {
        application(ImpliedPhases.class)
                .withPropertyValues("idem.store=inbox", "idem.enabled=" + enabled)
                .run(context -> {
                    ImpliedPhases phases = context.getBean(ImpliedPhases.class);

                    assertThat(phases.pay("p1")).isOne();
                    assertThat(phases.pay("p1")).isOne();
                    assertThat(database.ledger()).containsExactly("p1");
                });
    }

    static class Alone {

        private final JdbcTemplate jdbc;

        Alone(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Idempotent(scope = "alone", key = "#id")
        String enter(String id) {
            jdbc.update("INSERT INTO ledger VALUES (?)", id);
            return "entered " + id;
        }
    }

    @Test
    void withTheInboxAsTheStoreEveryMethodRunsInIt() {
        application(Alone.class).withPropertyValues("idem.store=inbox").run(context -> {
            Alone alone = context.getBean(Alone.class);

            assertThat(alone.enter("p1")).isEqualTo("entered p1");
            assertThat(alone.enter("p1")).isEqualTo("entered p1");
            assertThat(database.ledger()).containsExactly("p1");
            assertThat(database.inboxRows()).isOne();
        });
    }

    /** Work that ends when its executor waits for it. */
    static class Slow {

        private final CountDownLatch begun = new CountDownLatch(1);

        void awaitBegin() throws InterruptedException {
            begun.await();
        }

        @Idempotent(scope = "slow", key = "#id")
        String run(String id, ExecutorService its) {
            begun.countDown();
            await().until(its::isShutdown);
            return id;
        }
    }

    @ParameterizedTest
    @CsvSource({"postgresql, postgresql", "inbox, jdbc"})
    void workThatAnExecutorWaitsForIsRecordedBeforeThePoolCloses(String store, String tables) {
        ApplicationContextRunner waiting = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(configurations()))
                .withConfiguration(
                        AutoConfigurations.of(StoreAutoConfiguration.class, TaskExecutionAutoConfiguration.class))
                .withBean(HikariDataSource.class, () -> database.pool(4))
                .withBean(Slow.class)
                .withPropertyValues(
                        "idem.store=" + store,
                        "idem." + tables + ".initialize-schema=always",
                        "spring.task.execution.shutdown.await-termination=true",
                        "spring.task.execution.shutdown.await-termination-period=20s");
        waiting.run(context -> {
            Slow slow = context.getBean(Slow.class);
            ThreadPoolTaskExecutor executor = context.getBean(ThreadPoolTaskExecutor.class);
            executor.execute(() -> slow.run("k", executor.getThreadPoolExecutor()));
            slow.awaitBegin();
        });

        waiting.run(context -> {
            Slow slow = context.getBean(Slow.class);
            ExecutorService never =
                    context.getBean(ThreadPoolTaskExecutor.class).getThreadPoolExecutor();

            assertThat(slow.run("k", never)).isEqualTo("k");
        });
    }
}
