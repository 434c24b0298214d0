package io.idem.consumer.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyEventListener;
import io.idem.Inbox;
import io.idem.InboxTransaction;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.MapInbox;
import io.idem.consumer.contract.MovableClock;
import io.idem.consumer.contract.ObservedStore;
import io.idem.consumer.contract.ObservedTransactions;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** The proxies that Spring makes around idempotent listeners, with the application's own advisors on them. No broker. */
class ProxiedListenersTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues("spring.rabbitmq.listener.simple.auto-startup=false");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        EventLog log() {
            return new EventLog();
        }

        @Bean
        MovableClock clock() {
            return new MovableClock();
        }

        @Bean
        ObservedStore store(MovableClock clock, EventLog log) {
            return new ObservedStore(clock, log);
        }

        @Bean
        ObservedTransactions transactions(EventLog log) {
            return new ObservedTransactions(log);
        }
    }

    private static DeliveryDecision deliver(ApplicationContext context, Class<? extends Listener> type, String key)
            throws Throwable {
        Delivery delivery = new Delivery(FakeMessage.withKey(key));
        Listener listener = context.getBean(type);
        CurrentDelivery.callWith(delivery, () -> {
            listener.on("body");
            return null;
        });
        return delivery.decision().orElseThrow();
    }

    interface Listener {

        void on(String body);
    }

    static class Committing implements Listener {

        private final EventLog log;

        Committing(EventLog log) {
            this.log = log;
        }

        @Override
        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "committing")
        @Transactional
        public void on(String body) {
            log.note(EventLog.WORK);
        }
    }

    @EnableTransactionManagement
    static class UsualOrder {}

    @EnableTransactionManagement(order = 0)
    static class EarlyOrder {}

    @EnableTransactionManagement(order = Ordered.HIGHEST_PRECEDENCE + 1)
    static class VeryEarlyOrder {}

    @EnableTransactionManagement(order = Ordered.HIGHEST_PRECEDENCE)
    static class EarliestOrder {}

    @ParameterizedTest
    @ValueSource(classes = {UsualOrder.class, EarlyOrder.class, VeryEarlyOrder.class})
    void workIsCommittedBeforeItIsCompleteWhateverOrderTransactionsHave(Class<?> order) {
        runner.withUserConfiguration(order, Committing.class).run(context -> {
            assertThat(deliver(context, Committing.class, "k1")).isInstanceOf(DeliveryDecision.Ran.class);

            assertThat(context.getBean(EventLog.class).all())
                    .containsExactly(EventLog.WORK, EventLog.COMMIT, EventLog.COMPLETE);
        });
    }

    @Test
    void transactionsThatNothingCanBePutAroundAreRefusedAtStartUp() {
        runner.withUserConfiguration(EarliestOrder.class, Committing.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseInstanceOf(ListenerConfigurationException.class)
                        .rootCause()
                        .hasMessageContaining("Committing.on")
                        .hasMessageContaining("@EnableTransactionManagement"));
    }

    static class InInbox implements Listener {

        @Override
        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "in-inbox", inbox = true)
        @Transactional
        public void on(String body) {}
    }

    static class ApartFromInbox extends InInbox {

        @Override
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void on(String body) {}
    }

    static class OtherIsolation extends InInbox {

        @Override
        @Transactional(isolation = Isolation.SERIALIZABLE)
        public void on(String body) {}
    }

    static class OtherTimeout extends InInbox {

        @Override
        @Transactional(timeout = 5)
        public void on(String body) {}
    }

    static class ReadOnly extends InInbox {

        @Override
        @Transactional(readOnly = true)
        public void on(String body) {}
    }

    static class KeptAfterFailure extends InInbox {

        @Override
        @Transactional(noRollbackFor = IllegalStateException.class)
        public void on(String body) {}
    }

    private ApplicationContextRunner withInbox(Class<?> listener) {
        return runner.withBean(Inbox.class, () -> MapInbox.keepingFor(Duration.ofDays(365)))
                .withUserConfiguration(UsualOrder.class, listener);
    }

    @Test
    void aTransactionThatJoinsThatOfTheInboxIsAllowed() {
        withInbox(InInbox.class).run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ApartFromInbox.class,
                OtherIsolation.class,
                OtherTimeout.class,
                ReadOnly.class,
                KeptAfterFailure.class
            })
    void aTransactionThatAsksForMoreThanToJoinTheInboxIsRefused(Class<?> listener) {
        withInbox(listener)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(ListenerConfigurationException.class)
                        .hasMessageContaining("in the transaction of its inbox")
                        .hasMessageContaining("@Transactional"));
    }

    static class EndingInTransaction implements Listener {

        @Override
        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "ending", inbox = true, transaction = InboxTransaction.LAST_PHASE)
        public void on(String body) {}
    }

    static class InsideAnotherTransaction extends EndingInTransaction {

        @Override
        @Transactional
        public void on(String body) {}
    }

    static class EndingWithoutInbox extends EndingInTransaction {

        @Override
        @IdempotentListener(scope = "ending", transaction = InboxTransaction.LAST_PHASE)
        public void on(String body) {}
    }

    private ApplicationContextRunner withPhases(Class<?> listener, @Nullable RuntimeException failure) {
        Inbox.LastPhase phases = (Inbox.LastPhase) Proxy.newProxyInstance(
                Inbox.LastPhase.class.getClassLoader(),
                new Class<?>[] {Inbox.LastPhase.class},
                (proxy, method, given) -> {
                    if (failure != null && method.getName().equals("check")) {
                        throw failure;
                    }
                    return null;
                });
        return runner.withBean(Inbox.class, () -> MapInbox.with(phases))
                .withUserConfiguration(UsualOrder.class, listener);
    }

    @Test
    void workMayEndInTheTransactionOfItsInbox() {
        withPhases(EndingInTransaction.class, null)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aTransactionAroundWorkThatEndsInOneIsRefused() {
        withPhases(InsideAnotherTransaction.class, null)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(ListenerConfigurationException.class)
                        .hasMessageContaining("as its last phase")
                        .hasMessageContaining("Remove @Transactional"));
    }

    @Test
    void aTransactionAtTheEndIsRefusedWithoutAnInbox() {
        withPhases(EndingWithoutInbox.class, null)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(ListenerConfigurationException.class)
                        .hasMessageContaining("Add inbox = true"));
        withPhases(EndingWithoutInbox.class, null)
                .withPropertyValues("idem.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aTransactionAtTheEndIsRefusedWhereTheInboxHasNone() {
        withInbox(EndingInTransaction.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(ListenerConfigurationException.class)
                        .hasMessageContaining("only transactions for whole work"));
    }

    @Test
    void aTransactionAtTheEndIsRefusedWithoutATableForSteps() {
        StoreUnavailableException missing =
                new StoreUnavailableException("the table is missing", Execution.UNKNOWN, new IllegalStateException());
        withPhases(EndingInTransaction.class, missing)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(ListenerConfigurationException.class)
                        .hasMessageContaining("the table is missing")
                        .hasMessageContaining("idem_record"));
    }

    static class Persistent implements Listener {

        private final EventLog log;
        private final List<Integer> attempts = new CopyOnWriteArrayList<>();

        Persistent(EventLog log) {
            this.log = log;
        }

        List<Integer> attempts() {
            return attempts;
        }

        @Override
        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "persistent")
        @Retryable(maxRetries = 2, delay = 1)
        public void on(String body) {
            log.note(EventLog.WORK);
            attempts.add(IdempotencyContext.current().orElseThrow().attempt());
            if (attempts.size() < 3) {
                throw new IllegalStateException("not yet");
            }
        }
    }

    @EnableResilientMethods
    static class Resilient {}

    @Test
    void everyAttemptOfARetryableMethodAcquires() {
        runner.withUserConfiguration(Resilient.class, Persistent.class).run(context -> {
            assertThat(deliver(context, Persistent.class, "k1")).isInstanceOf(DeliveryDecision.Ran.class);

            assertThat(context.getBean(Persistent.class).attempts()).containsExactly(1, 2, 3);
            assertThat(context.getBean(EventLog.class).count(EventLog.COMPLETE)).isOne();
        });
    }

    @Test
    void aRetryableMethodDoesNotSpinOnAKeyInProgressAtAnotherOwner() {
        runner.withUserConfiguration(Resilient.class, Persistent.class, Events.class)
                .run(context -> {
                    DecidingFixture.acquireAsOtherOwner(
                            context.getBean(ObservedStore.class), "k1", "persistent", Duration.ofMinutes(5));

                    assertThat(deliver(context, Persistent.class, "k1")).isInstanceOf(DeliveryDecision.Defer.class);

                    assertThat(context.getBean(Events.class).seen).hasSize(1);
                    assertThat(context.getBean(Persistent.class).attempts()).isEmpty();
                });
    }

    /** What the engine told its observers. */
    static class Events implements IdempotencyEventListener {

        final List<IdempotencyEvent> seen = new CopyOnWriteArrayList<>();

        @Override
        public void on(IdempotencyEvent event) {
            seen.add(event);
        }
    }

    interface Contract extends Listener {

        @Override
        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "interface")
        void on(String body);
    }

    static class ByInterface implements Contract {

        private final EventLog log;

        ByInterface(EventLog log) {
            this.log = log;
        }

        @Override
        public void on(String body) {
            log.note(EventLog.WORK);
        }
    }

    @Test
    void anAnnotatedInterfaceBehindAJdkProxyRunsOnceForItsDuplicates() {
        runner.withUserConfiguration(ByInterface.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> {
                    deliver(context, Contract.class, "k1");

                    assertThat(deliver(context, Contract.class, "k1")).isInstanceOf(DeliveryDecision.Duplicate.class);
                    assertThat(context.getBean(EventLog.class).count(EventLog.WORK))
                            .isOne();
                });
    }

    @Test
    void theSettingForDirectCallsIsObeyed() {
        runner.withUserConfiguration(UsualOrder.class, Committing.class).run(context -> {
            Committing listener = context.getBean(Committing.class);
            assertThatThrownBy(() -> listener.on("body")).hasMessageContaining("idem.consumer.direct-calls");
        });
        runner.withUserConfiguration(UsualOrder.class, Committing.class)
                .withPropertyValues("idem.consumer.direct-calls=run-unguarded")
                .run(context -> {
                    context.getBean(Committing.class).on("body");
                    assertThat(context.getBean(EventLog.class).all()).containsExactly(EventLog.WORK, EventLog.COMMIT);
                });
    }
}
