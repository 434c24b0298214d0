package io.idem.internal.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyContext;
import io.idem.Idempotent;
import io.idem.Lease;
import io.idem.OutcomeUnrecordedException;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.stereotype.Controller;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** The place of the guard among the other advisors of a bean. */
class MethodProxiesTest {

    /** The order of what happens in an application. */
    static class Log {

        private final List<String> entries = new CopyOnWriteArrayList<>();

        void note(String entry) {
            entries.add(entry);
        }

        List<String> entries() {
            return entries;
        }
    }

    /** Transactions without a database. */
    static class NotedTransactions extends AbstractPlatformTransactionManager {

        private final transient Log log;

        NotedTransactions(Log log) {
            this.log = log;
        }

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            // Nothing to open.
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            log.note("commit");
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            log.note("rollback");
        }
    }

    /** A store that can be silent. */
    static class NotedStore extends PerRequestStore {

        private final Log log;
        volatile boolean silent;

        NotedStore(Log log) {
            super(new InMemoryIdempotencyStore());
            this.log = log;
        }

        @Override
        public Claim acquire(AcquireRequest request) {
            if (silent) {
                throw silenced();
            }
            return super.acquire(request);
        }

        @Override
        public StoreAnswer complete(Lease lease, StoredResult result) {
            if (silent) {
                throw silenced();
            }
            log.note("complete");
            return super.complete(lease, result);
        }

        private static StoreUnavailableException silenced() {
            return new StoreUnavailableException(
                    "silenced", StoreUnavailableException.Execution.NOT_EXECUTED, new IOException("silenced"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableAsync
    static class Application {}

    @EnableTransactionManagement
    static class UsualOrder {}

    @EnableTransactionManagement(order = 0)
    static class EarlyOrder {}

    private final Log log = new Log();

    private ApplicationContextRunner application(Class<?>... beans) {
        return new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withBean(Log.class, () -> log)
                .withBean(IdempotencyStore.class, () -> new NotedStore(log))
                .withBean(PlatformTransactionManager.class, () -> new NotedTransactions(log))
                .withUserConfiguration(beans);
    }

    static class Payments {

        private final Log log;

        Payments(Log log) {
            this.log = log;
        }

        @Transactional
        @Idempotent(scope = "pay", key = "#id")
        String pay(String id) {
            log.note("work");
            return "paid";
        }

        @Async
        @Transactional
        @Idempotent(scope = "pay-later", key = "#id")
        CompletableFuture<String> payLater(String id) {
            log.note("work");
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @Idempotent(scope = "pay-apart", key = "#id")
        void payApart(String id) {
            log.note("work");
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {UsualOrder.class, EarlyOrder.class})
    void workIsCommittedBeforeItIsRecordedWhateverOrderTransactionsHave(Class<?> order) {
        application(order, Payments.class).run(context -> {
            Payments payments = context.getBean(Payments.class);

            assertThat(payments.pay("p1")).isEqualTo("paid");
            assertThat(payments.pay("p1")).isEqualTo("paid");

            assertThat(log.entries()).containsExactly("work", "commit", "complete");
        });
    }

    @Test
    void asynchronousWorkIsGuardedOnItsOwnThread() {
        application(UsualOrder.class, Payments.class).run(context -> {
            Payments payments = context.getBean(Payments.class);

            String thread = payments.payLater("p1").get(5, TimeUnit.MINUTES);

            assertThat(thread).isNotEqualTo(Thread.currentThread().getName());
            assertThat(payments.payLater("p1").get(5, TimeUnit.MINUTES)).isEqualTo(thread);
            assertThat(log.entries()).containsExactly("work", "commit", "complete");
        });
    }

    @Test
    void aCallInsideATransactionThatCommitsLaterIsRefused() {
        application(UsualOrder.class, Payments.class).run(context -> {
            Payments payments = context.getBean(Payments.class);
            TransactionTemplate outer = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

            assertThatThrownBy(() -> outer.executeWithoutResult(status -> payments.pay("p1")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("inside a transaction");
            outer.executeWithoutResult(status -> payments.payApart("p1"));

            assertThat(log.entries()).containsExactly("rollback", "work", "commit", "complete", "commit");
        });
    }

    static class Paying {

        private final Log log;

        Paying(Log log) {
            this.log = log;
        }

        @Idempotent(scope = "pay-inherited", key = "#id")
        void pay(String id) {
            log.note("work");
        }
    }

    /** Its annotation is not for methods of its parent. */
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    static class PayingApart extends Paying {

        PayingApart(Log log) {
            super(log);
        }
    }

    @Test
    void aMethodIsInATransactionApartOnlyIfOneIsOpenedForIt() {
        application(UsualOrder.class, PayingApart.class).run(context -> {
            PayingApart payments = context.getBean(PayingApart.class);
            TransactionTemplate outer = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

            assertThatThrownBy(() -> outer.executeWithoutResult(status -> payments.pay("p1")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("inside a transaction");

            assertThat(log.entries()).containsExactly("rollback");
        });
    }

    static class Postponing {

        @Idempotent(scope = "postponing", key = "#id")
        Object on(String id) {
            return Mono.just(id);
        }
    }

    @Test
    void aValueThatStandsForLaterWorkIsNotTakenForDone() {
        application(Postponing.class).run(context -> {
            Postponing bean = context.getBean(Postponing.class);

            for (int call = 0; call < 2; call++) {
                assertThatThrownBy(() -> bean.on("p1"))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("Declare a CompletableFuture");
            }
            assertThat(log.entries()).isEmpty();
        });
    }

    @Test
    void nothingRunsWhileTheStoreIsSilent() {
        application(UsualOrder.class, Payments.class).run(context -> {
            context.getBean(NotedStore.class).silent = true;

            assertThatThrownBy(() -> context.getBean(Payments.class).pay("p1"))
                    .isInstanceOf(StoreUnavailableException.class);
            assertThat(log.entries()).isEmpty();
        });
    }

    static class Silencing {

        private final NotedStore store;

        Silencing(NotedStore store) {
            this.store = store;
        }

        @Idempotent(scope = "silencing", key = "#id")
        void on(String id) {
            store.silent = true;
        }

        @Idempotent(scope = "silencing-later", key = "#id")
        CompletableFuture<String> later(String id) {
            store.silent = true;
            return CompletableFuture.completedFuture("done");
        }
    }

    @Test
    void anEffectThatIsNotRecordedIsNoSuccess() {
        application(Silencing.class).run(context -> {
            Silencing bean = context.getBean(Silencing.class);

            assertThatThrownBy(() -> bean.on("p1")).isInstanceOf(OutcomeUnrecordedException.class);
            context.getBean(NotedStore.class).silent = false;
            assertThatThrownBy(() -> bean.later("p1").join()).hasCauseInstanceOf(OutcomeUnrecordedException.class);
        });
    }

    record Paid(String id) {}

    static class Ledger {

        private final Log log;

        Ledger(Log log) {
            this.log = log;
        }

        @EventListener
        @Idempotent(scope = "note", key = "#paid.id()")
        void note(Paid paid) {
            log.note("noted");
        }
    }

    @Test
    void anEventThatIsPublishedTwiceIsListenedToOnce() {
        application(UsualOrder.class, Ledger.class).run(context -> {
            context.publishEvent(new Paid("p1"));
            context.publishEvent(new Paid("p1"));
            assertThat(log.entries()).containsExactly("noted", "complete");
        });
    }

    static class AfterCommit {

        private final Log log;

        AfterCommit(Log log) {
            this.log = log;
        }

        @Async
        @TransactionalEventListener
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @Idempotent(scope = "ledger", key = "#paid.id()")
        void enter(Paid paid) {
            log.note("entered");
        }
    }

    @Test
    void anEventOfACommittedTransactionIsListenedToOnce() {
        application(UsualOrder.class, AfterCommit.class).run(context -> {
            TransactionTemplate publisher = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            publisher.executeWithoutResult(status -> context.publishEvent(new Paid("p1")));
            await().atMost(Duration.ofMinutes(5)).until(() -> log.entries().contains("complete"));
            publisher.executeWithoutResult(status -> context.publishEvent(new Paid("p1")));
            publisher.executeWithoutResult(status -> context.publishEvent(new Paid("p2")));
            await().atMost(Duration.ofMinutes(5))
                    .until(() ->
                            log.entries().stream().filter("complete"::equals).count() == 2);

            assertThat(log.entries()).filteredOn("entered"::equals).hasSize(2);
        });
    }

    static class Persistent {

        @Retryable(maxRetries = 2, delay = 1)
        @Idempotent(scope = "persistent", key = "#id")
        int on(String id) {
            int attempt = IdempotencyContext.current().orElseThrow().attempt();
            if (attempt < 3) {
                throw new IllegalStateException("not yet");
            }
            return attempt;
        }
    }

    @EnableResilientMethods
    static class Resilient {}

    @Test
    void everyRetryOfAMethodAcquires() {
        application(Resilient.class, Persistent.class)
                .run(context ->
                        assertThat(context.getBean(Persistent.class).on("p1")).isEqualTo(3));
    }

    interface Clerk {

        @Idempotent(scope = "clerk", key = "args[0]")
        int file(String id);
    }

    static class Filing implements Clerk {

        private int filed;

        @Override
        public int file(String id) {
            return ++filed;
        }
    }

    @Test
    void anAnnotatedInterfaceIsGuardedBehindAJdkProxy() {
        application(Filing.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> {
                    Clerk clerk = context.getBean(Clerk.class);
                    assertThat(clerk.file("f1")).isOne();
                    assertThat(clerk.file("f1")).isOne();
                });
    }

    @Controller
    static class Lookup {

        private int calls;

        @Idempotent(scope = "lookup", key = "#id")
        int on(String id) {
            return ++calls;
        }
    }

    @Test
    void aMethodOfAControllerThatHandlesNoRequestsIsGuarded() {
        application(Lookup.class).run(context -> {
            Lookup lookup = context.getBean(Lookup.class);
            assertThat(lookup.on("a")).isOne();
            assertThat(lookup.on("a")).isOne();
        });
    }

    /** A double that a test puts in the place of a bean; it is not guarded. */
    @Nested
    @SpringJUnitConfig
    class Replaced {

        @Configuration(proxyBeanMethods = false)
        @Import(Application.class)
        static class Replaceable {

            @Bean
            IdempotencyStore store() {
                return new InMemoryIdempotencyStore();
            }

            @Bean
            Lookup lookup() {
                return new Lookup();
            }
        }

        @TestBean
        @SuppressWarnings("NullAway.Init")
        private Lookup lookup;

        static Lookup lookup() {
            return new Lookup() {
                @Override
                int on(String id) {
                    return -1;
                }
            };
        }

        @Test
        void aBeanMayBeReplacedByATest() {
            assertThat(lookup.on("a")).isEqualTo(-1);
        }
    }

    static class Plain {

        void on() {}
    }

    @Test
    void beansWithoutTheAnnotationGetNoProxy() {
        application(Plain.class)
                .run(context -> assertThat(AopUtils.isAopProxy(context.getBean(Plain.class)))
                        .isFalse());
    }
}
