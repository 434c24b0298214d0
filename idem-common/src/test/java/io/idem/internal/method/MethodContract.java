package io.idem.internal.method;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Idempotent;
import io.idem.InvalidKeyException;
import io.idem.KeyInProgressException;
import io.idem.KeyReusedException;
import io.idem.RecordId;
import io.idem.ResultCodecException;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.WorkRejectedException;
import io.idem.operations.OperatorAct;
import io.idem.operations.RecordOperator;
import io.idem.operations.ScopeRegistry;
import io.idem.spi.IdempotencyStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.ScheduledMethodRunnable;

/** Methods of ordinary beans in an application with the auto-configuration, on any store. */
abstract class MethodContract {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private final String id = UUID.randomUUID().toString();

    /** Returns an application with the store; all that a test starts share it. */
    abstract ApplicationContextRunner application();

    ApplicationContextRunner with(Class<?>... beans) {
        return application().withUserConfiguration(Application.class).withUserConfiguration(beans);
    }

    record Order(String id, int amount) {}

    record Receipt(String order, int number) {}

    static class Orders {

        private final AtomicInteger runs = new AtomicInteger();
        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        int runs() {
            return runs.get();
        }

        CountDownLatch started() {
            return started;
        }

        CountDownLatch released() {
            return released;
        }

        @Idempotent(scope = "confirm", key = "#order.id()")
        Receipt confirm(Order order) {
            return new Receipt(order.id(), runs.incrementAndGet());
        }

        @Idempotent(scope = "count", key = "#id")
        int count(String id) {
            return runs.incrementAndGet();
        }

        @Idempotent(scope = "list", key = "args[0]")
        List<Receipt> list(String id) {
            return List.of(new Receipt(id, runs.incrementAndGet()));
        }

        @Idempotent(scope = "ship", key = "#id")
        void ship(String id) {
            runs.incrementAndGet();
        }

        @Idempotent(scope = "slow", key = "#id")
        String slow(String id) throws InterruptedException {
            runs.incrementAndGet();
            started.countDown();
            assertThat(released.await(5, TimeUnit.MINUTES)).isTrue();
            return "slow";
        }

        @Idempotent(scope = "flaky", key = "#id")
        String flaky(String id) throws Exception {
            if (runs.incrementAndGet() == 1) {
                throw new IOException("the first call fails");
            }
            return "attempt " + IdempotencyContext.current().orElseThrow().attempt();
        }

        @Idempotent(scope = "failing", key = "#id")
        void failing(String id) {
            runs.incrementAndGet();
            throw new IllegalStateException("fails");
        }

        @Idempotent(scope = "nothing", key = "#id")
        @Nullable String nothing(String id) {
            runs.incrementAndGet();
            return null;
        }

        @Idempotent(scope = "strict", key = "#id", rejectOn = IllegalArgumentException.class)
        void strict(String id) {
            runs.incrementAndGet();
            throw new IllegalArgumentException("never valid");
        }

        @Idempotent(scope = "limited", key = "#id", maxAttempts = 1)
        void limited(String id) {
            runs.incrementAndGet();
            throw new IllegalStateException("fails");
        }

        @Idempotent(scope = "compared", key = "#order.id()", fingerprint = "{#order.amount(), 'EUR'}")
        int compared(Order order) {
            return runs.incrementAndGet();
        }

        @Idempotent(scope = "unfit", key = "#id")
        Object unfit(String id) {
            runs.incrementAndGet();
            return new Cycle();
        }

        @Idempotent(scope = "nullable", key = "#id")
        void nullable(@Nullable String id) {
            runs.incrementAndGet();
        }

        @Idempotent(scope = "of-object", key = "#order")
        void ofObject(Order order) {
            runs.incrementAndGet();
        }

        @Idempotent(scope = "stepping", key = "#id")
        String stepping(String id) {
            String charged = IdempotencyContext.current()
                    .orElseThrow()
                    .step("charge", String.class, step -> "charge " + runs.incrementAndGet());
            if (started.getCount() == 1) {
                started.countDown();
                throw new IllegalStateException("fails after the step");
            }
            return charged;
        }
    }

    /** A value that no codec can write. */
    static class Cycle {

        public Cycle getSelf() {
            return this;
        }
    }

    private void run(Use test) {
        with(Orders.class).run(context -> test.on(context.getBean(Orders.class)));
    }

    /** The part of a test that uses the bean. */
    @FunctionalInterface
    interface Use {
        void on(Orders orders) throws Exception;
    }

    @Test
    void aDuplicateIsAnsweredWithTheFirstValueAndDoesNotRun() {
        run(orders -> {
            Receipt first = orders.confirm(new Order(id, 5));

            assertThat(orders.confirm(new Order(id, 5))).isEqualTo(first);
            assertThat(orders.count(id)).isEqualTo(2);
            assertThat(orders.count(id)).isEqualTo(2);
            assertThat(orders.list(id)).isEqualTo(orders.list(id)).containsExactly(new Receipt(id, 3));
            orders.ship(id);
            orders.ship(id);
            assertThat(orders.runs()).isEqualTo(4);
        });
    }

    abstract static class Desk<T> {

        abstract T make(String id);

        @Idempotent(scope = "desk", key = "#id")
        List<T> list(String id) {
            return List.of(make(id));
        }
    }

    static class ReceiptDesk extends Desk<Receipt> {

        private final AtomicInteger made = new AtomicInteger();

        @Override
        Receipt make(String id) {
            return new Receipt(id, made.incrementAndGet());
        }
    }

    @Test
    void aValueKeepsTheTypesThatItsClassGivesToItsParent() {
        with(ReceiptDesk.class).run(context -> {
            ReceiptDesk desk = context.getBean(ReceiptDesk.class);
            desk.list(id);

            assertThat(desk.list(id)).containsExactly(new Receipt(id, 1));
        });
    }

    @Test
    void eachKeyRuns() {
        run(orders -> {
            orders.ship(id);
            orders.ship(id + "-2");
            assertThat(orders.runs()).isEqualTo(2);
        });
    }

    @Test
    void aCallBesideARunningOneIsToldToComeAgain() {
        run(orders -> {
            CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> {
                try {
                    return orders.slow(id);
                } catch (InterruptedException interrupted) {
                    throw new CompletionException(interrupted);
                }
            });
            assertThat(orders.started().await(5, TimeUnit.MINUTES)).isTrue();

            assertThatThrownBy(() -> orders.slow(id))
                    .isInstanceOfSatisfying(
                            KeyInProgressException.class,
                            later -> assertThat(later.retryAfter())
                                    .isPositive()
                                    .isLessThanOrEqualTo(Duration.ofSeconds(30)))
                    .hasMessageContaining("slow/")
                    .hasMessageNotContaining(id);
            orders.released().countDown();

            assertThat(first.join()).isEqualTo("slow");
            assertThat(orders.slow(id)).isEqualTo("slow");
            assertThat(orders.runs()).isOne();
        });
    }

    @Test
    void anExceptionIsPassedOnUnchangedAndFreesTheKey() {
        run(orders -> {
            assertThatThrownBy(() -> orders.flaky(id)).isExactlyInstanceOf(IOException.class);

            assertThat(orders.flaky(id)).isEqualTo("attempt 2");
            assertThat(orders.flaky(id)).isEqualTo("attempt 2");
            assertThat(orders.runs()).isEqualTo(2);
        });
    }

    @Test
    void workThatFailedForGoodDoesNotRunAgain() {
        run(orders -> {
            assertThatThrownBy(() -> orders.strict(id)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> orders.strict(id))
                    .isInstanceOf(WorkRejectedException.class)
                    .hasMessageContaining("never valid");
            assertThatThrownBy(() -> orders.limited(id)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> orders.limited(id))
                    .isInstanceOf(WorkRejectedException.class)
                    .hasMessageContaining("1 attempts are used up");
            assertThat(orders.runs()).isEqualTo(2);
        });
    }

    @Test
    void aDuplicateOfWorkThatAnOperatorCalledDoneIsToldThatItsValueIsNotKept() {
        with(Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThatThrownBy(() -> orders.flaky(id)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> orders.failing(id)).isInstanceOf(IllegalStateException.class);
            complete(context, "flaky");
            complete(context, "failing");

            assertThatThrownBy(() -> orders.flaky(id))
                    .isInstanceOf(ResultCodecException.class)
                    .hasMessageContaining("the record was completed without one");
            orders.failing(id);
            assertThat(orders.runs()).isEqualTo(2);
        });
    }

    private void complete(ApplicationContext context, String scope) {
        RecordOperator operator = new RecordOperator(
                context.getBean(IdempotencyStore.class), context.getBean(ScopePolicies.class), audited -> {});
        RecordId record = new RecordId(IdempotencyKey.of(id), new Scope(scope));
        assertThat(operator.act(OperatorAct.Action.COMPLETE, record, "anna", "the ledger has it")
                        .done())
                .isTrue();
    }

    @Test
    void nullIsAValueThatDuplicatesGetToo() {
        run(orders -> {
            assertThat(orders.nothing(id)).isNull();
            assertThat(orders.nothing(id)).isNull();
            assertThat(orders.runs()).isOne();
        });
    }

    @Test
    void aKeyThatIsUsedForOtherValuesIsRefused() {
        run(orders -> {
            assertThat(orders.compared(new Order(id, 5))).isOne();
            assertThat(orders.compared(new Order(id, 5))).isOne();
            assertThatThrownBy(() -> orders.compared(new Order(id, 6))).isInstanceOf(KeyReusedException.class);
        });
    }

    @Test
    void aCallWithoutAUsableKeyDoesNotRun() {
        run(orders -> {
            assertThatThrownBy(() -> orders.nullable(null))
                    .isInstanceOf(InvalidKeyException.class)
                    .hasMessageContaining("\"#id\" of @Idempotent Orders.nullable is null");
            assertThatThrownBy(() -> orders.ofObject(new Order(id, 1)))
                    .isInstanceOf(InvalidKeyException.class)
                    .hasMessageContaining(Order.class.getName());
            assertThat(orders.runs()).isZero();
        });
    }

    @Test
    void aValueThatCannotBeKeptEndsItsDuplicatesInAnException() {
        run(orders -> {
            assertThat(orders.unfit(id)).isInstanceOf(Cycle.class);
            assertThatThrownBy(() -> orders.unfit(id)).isInstanceOf(ResultCodecException.class);
            assertThat(orders.runs()).isOne();
        });
    }

    @Test
    void aStepIsRememberedForTheNextCall() {
        run(orders -> {
            assertThatThrownBy(() -> orders.stepping(id)).hasMessage("fails after the step");
            assertThat(orders.stepping(id)).isEqualTo("charge 1");
        });
    }

    static class Later {

        private final AtomicInteger runs = new AtomicInteger();
        private final CompletableFuture<String> answer = new CompletableFuture<>();

        int runs() {
            return runs.get();
        }

        CompletableFuture<String> answer() {
            return answer;
        }

        @Idempotent(scope = "later", key = "#id")
        CompletableFuture<String> later(String id) {
            runs.incrementAndGet();
            return answer;
        }

        @Idempotent(scope = "failing-later", key = "#id")
        CompletableFuture<Integer> failing(String id) {
            return runs.incrementAndGet() == 1
                    ? CompletableFuture.failedFuture(new IllegalStateException("the first stage fails"))
                    : CompletableFuture.completedFuture(runs.get());
        }
    }

    @Test
    void aFutureIsDoneWhenItEnds() {
        with(Later.class).run(context -> {
            Later bean = context.getBean(Later.class);
            CompletableFuture<String> first = bean.later(id);

            assertThat(first).isNotDone();
            assertThatThrownBy(() -> bean.later(id).join()).hasCauseInstanceOf(KeyInProgressException.class);
            bean.answer().complete("answer");

            assertThat(first.get(5, TimeUnit.MINUTES)).isEqualTo("answer");
            assertThat(bean.later(id).get(5, TimeUnit.MINUTES)).isEqualTo("answer");
            assertThat(bean.runs()).isOne();
        });
    }

    @Test
    void aFutureThatFailsFreesTheKey() {
        with(Later.class).run(context -> {
            Later bean = context.getBean(Later.class);

            assertThatThrownBy(() -> bean.failing(id).get(5, TimeUnit.MINUTES))
                    .hasRootCauseMessage("the first stage fails");
            assertThat(bean.failing(id).get(5, TimeUnit.MINUTES)).isEqualTo(2);
            assertThat(bean.failing(id).get(5, TimeUnit.MINUTES)).isEqualTo(2);
        });
    }

    /** The keys under which the instances of a test ran. */
    static class Periods {

        final List<String> ran = new CopyOnWriteArrayList<>();
        final AtomicInteger calls = new AtomicInteger();
        final CountDownLatch started = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);
    }

    static class Report {

        private final Periods periods;

        Report(Periods periods) {
            this.periods = periods;
        }

        @Scheduled(fixedRate = 500)
        @Idempotent(scope = "${test.scope}")
        void report() {
            periods.ran.add(IdempotencyContext.current().orElseThrow().key().value());
        }
    }

    @EnableScheduling
    static class Scheduling {}

    @Test
    void ofAllInstancesOneRunsAScheduledMethodForEachTime() {
        Periods periods = new Periods();
        ApplicationContextRunner instance = with(Scheduling.class, Report.class)
                .withBean(Periods.class, () -> periods)
                .withPropertyValues("test.scope=report-" + id);
        instance.run(one -> instance.run(two -> {
            await().atMost(Duration.ofMinutes(5)).until(() -> periods.ran.size() >= 6);

            assertThat(periods.ran).doesNotHaveDuplicates();
        }));
    }

    static class Nightly {

        private final Periods periods;

        Nightly(Periods periods) {
            this.periods = periods;
        }

        @Scheduled(cron = "0 0 3 1 1 *", zone = "UTC")
        @Idempotent(scope = "${test.scope}")
        public void run() throws InterruptedException {
            periods.calls.incrementAndGet();
            periods.started.countDown();
            assertThat(periods.released.await(5, TimeUnit.MINUTES)).isTrue();
        }
    }

    static class Caller {

        private final Nightly nightly;

        Caller(Nightly nightly) {
            this.nightly = nightly;
        }

        @Scheduled(cron = "0 0 3 1 1 *", zone = "UTC")
        public void run() throws InterruptedException {
            nightly.run();
        }
    }

    @Test
    void theSchedulerIsNotToldOfARunAtAnotherInstanceButACallerIs() {
        Periods periods = new Periods();
        ApplicationContextRunner instance = with(Nightly.class, Caller.class)
                .withBean(Periods.class, () -> periods)
                .withPropertyValues("test.scope=nightly-" + id);
        instance.run(one -> instance.run(two -> {
            CompletableFuture<Void> first = CompletableFuture.runAsync(scheduled(one.getBean(Nightly.class)));
            assertThat(periods.started.await(5, TimeUnit.MINUTES)).isTrue();

            scheduled(two.getBean(Nightly.class)).run();
            assertThatThrownBy(() -> two.getBean(Nightly.class).run()).isInstanceOf(KeyInProgressException.class);
            assertThatThrownBy(scheduled(two.getBean(Caller.class))::run).isInstanceOf(KeyInProgressException.class);
            periods.released.countDown();
            first.join();
            two.getBean(Nightly.class).run();

            assertThat(periods.calls).hasValue(1);
        }));
    }

    private static Runnable scheduled(Object bean) {
        try {
            return new ScheduledMethodRunnable(bean, "run");
        } catch (NoSuchMethodException missing) {
            throw new AssertionError(missing);
        }
    }

    @Test
    void theStartUpReportNamesEveryMethod() {
        with(Orders.class).run(context -> {
            ScopeRegistry scopes = context.getBean(ScopeRegistry.class);

            assertThat(requireNonNull(scopes.participants().get("confirm"))).endsWith(": Orders.confirm(Order)");
            assertThat(scopes.descriptions()).containsEntry("confirm", "key from #order.id(), inbox no");
        });
    }

    @Test
    void settingsOfTheScopeHoldForItsMethod() {
        with(Orders.class)
                .withPropertyValues("idem.scopes.flaky.max-attempts=1")
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);
                    assertThatThrownBy(() -> orders.flaky(id)).isInstanceOf(IOException.class);
                    assertThatThrownBy(() -> orders.flaky(id)).isInstanceOf(WorkRejectedException.class);
                });
    }
}
