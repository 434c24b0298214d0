package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.NoOpMetricsCollector;
import io.idem.IdempotencyContext;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.StoredResult;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.ConsumerAdapterContract.HopelessException;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.contract.MovableClock;
import io.idem.consumer.contract.NoHold;
import io.idem.consumer.contract.ObservedTransactions;
import io.idem.consumer.contract.OtherOwner;
import io.idem.servers.spring.RabbitOfBoot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.transaction.RabbitTransactionManager;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;

/** Containers that deliver inside transactions. */
@ExtendWith(OutputCaptureExtension.class)
class RabbitTransactionTest extends RabbitScenario {

    private static final String REQUEUE = "spring.rabbitmq.listener.simple.default-requeue-rejected=true";

    /** The container commits also when no message came. */
    private List<String> sinceWork(int count) {
        List<String> all = log().withoutDeliveries();
        int work = all.indexOf(EventLog.WORK);
        return all.subList(work, Math.min(all.size(), work + count));
    }

    @Test
    void workIsCommittedThenCompletedThenAcknowledged() {
        launch(Transacted.class, NO_RETRY);

        send("k1", "one");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        send("k1", "again");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);

        assertThat(sinceWork(4))
                .containsExactly(EventLog.WORK, EventLog.COMMIT, EventLog.COMPLETE, EventLog.ACKNOWLEDGE);
        assertThat(script().calls()).hasSize(1);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    void aRollbackGivesTheKeyBackAndTheMessageRunsAgain() {
        launch(Transacted.class, NO_RETRY, REQUEUE);
        script().then(ListenerScript.fail());

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(sinceWork(2)).containsExactly(EventLog.WORK, EventLog.ROLLBACK);
        assertThat(script().calls()).hasSize(2);
        assertThat(script().calls().get(1).context().attempt()).isEqualTo(2);
        assertThat(script().calls().get(1).context().takeover()).isFalse();
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aSilentStoreAfterTheCommitFailsNothing() {
        launch(List.of(Transacted.class, NoHold.class), NO_RETRY);
        store().deafToComplete(true);

        send("k1", "one");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        store().deafToComplete(false);
        send("k2", "two");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(log().count(EventLog.ROLLBACK)).isZero();
        assertThat(state("k1")).isEqualTo(RecordState.PENDING);
        assertThat(state("k2")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aMessageInProgressIsRolledBackAndComesAgain() {
        launch(Transacted.class, NO_RETRY);
        Lease otherOwner = takeAsOtherOwner("k1");

        send("k1", "one");
        awaitUntil(() -> events(ConsumerEvent.Deferred.class).size() >= 2);
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isZero();
        store().fail(otherOwner, Duration.ZERO);

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(script().calls()).hasSize(1);
        assertThat(app().deadLetters()).isEmpty();
    }

    @Test
    void workWhoseLeaseIsLostIsNotCommitted() {
        launch(Transacted.class, NO_RETRY, "idem.lease=600ms");
        script().then(call -> {
            Lease otherOwner = OtherOwner.takeOver(store(), app().bean(MovableClock.class), record("k1"));
            awaitUntil(() -> !call.context().stillOwner());
            store().complete(otherOwner, StoredResult.NONE);
            return "too late";
        });

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(sinceWork(3)).contains(EventLog.ROLLBACK).doesNotContain(EventLog.COMMIT);
        assertThat(script().calls()).hasSize(1);
    }

    @Test
    void workWhoseMessageIsNotConfirmedIsRolledBackAndGivesTheKeyBack() {
        launch(Transacted.class, NO_RETRY, REQUEUE);
        script().then(call -> {
            app().template().convertAndSend("", app().name() + ".nowhere", "a");
            return "published";
        });

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(sinceWork(2)).containsExactly(EventLog.WORK, EventLog.ROLLBACK);
        assertThat(script().calls()).hasSize(2);
        assertThat(script().calls().get(1).context().attempt()).isEqualTo(2);
        assertThat(log().count(EventLog.COMPLETE)).isEqualTo(1);
    }

    /** Looks at what the broker is told, because Qpid requeues whatever is rejected one by one. */
    @Test
    void hopelessWorkIsRolledBackAndItsRedeliveryIsRejectedUnrun() {
        launch(List.of(Transacted.class, Rejections.class), NO_RETRY, REQUEUE);
        script().then(call -> {
            throw new HopelessException("no such account");
        });

        send("k1", "one");

        List<String> rejections = app().bean(Rejections.class).seen();
        awaitUntil(() -> rejections.size() >= 2);
        assertThat(rejections).startsWith("requeued", "for good");
        assertThat(sinceWork(2)).containsExactly(EventLog.WORK, EventLog.ROLLBACK);
        assertThat(script().calls()).hasSize(1);
        assertThat(state("k1")).isEqualTo(RecordState.REJECTED);
    }

    /** What the broker was told to do with rejected messages, in place of the other observations. */
    static class Rejections {

        private final List<String> seen = new CopyOnWriteArrayList<>();

        List<String> seen() {
            return seen;
        }

        @Bean
        static BeanDefinitionRegistryPostProcessor observeRejections(ObjectProvider<Rejections> rejections) {
            return RabbitOfBoot.connectionCustomizer(factory -> factory.setMetricsCollector(new NoOpMetricsCollector() {
                @Override
                public void basicReject(Channel channel, long deliveryTag, boolean requeue) {
                    rejections.getObject().seen.add(requeue ? "requeued" : "for good");
                }
            }));
        }
    }

    @Test
    void afterACommitThatWasNotAnsweredTheKeyIsKeptUntilItsLeaseLapses() {
        launch(Transacted.class, NO_RETRY, REQUEUE);
        script().then(call -> {
            app().bean(ObservedTransactions.class).loseNextAnswer();
            return "done";
        });

        send("k1", "one");
        awaitUntil(() -> !events(ConsumerEvent.Deferred.class).isEmpty());
        assertThat(state("k1")).isEqualTo(RecordState.PENDING);
        assertThat(script().calls()).hasSize(1);
        app().bean(MovableClock.class).moveAhead(Duration.ofMinutes(10));

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(script().calls()).hasSize(2);
        assertThat(script().calls().get(1).context().takeover()).isTrue();
    }

    /** In the transactions of its container. */
    static class Transacted {

        private final ListenerScript script;

        Transacted(ListenerScript script) {
            this.script = script;
        }

        @Bean
        static Unconfirmed unconfirmed(ObjectProvider<CachingConnectionFactory> confirmed) {
            return new Unconfirmed(confirmed);
        }

        @Bean
        static BeanPostProcessor transactions(
                ObjectProvider<ObservedTransactions> transactions, ObjectProvider<Unconfirmed> connections) {
            return configured(factory -> {
                factory.setTransactionManager(transactions.getObject());
                factory.setConnectionFactory(connections.getObject().connections());
                factory.setRecoveryInterval(50L);
            });
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS, rejectOn = HopelessException.class)
        void pay(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }
    }

    /** The application's connections once more, without publisher confirms: RabbitMQ has no channels with both. */
    static final class Unconfirmed implements AutoCloseable {

        private final CachingConnectionFactory connections;

        Unconfirmed(ObjectProvider<CachingConnectionFactory> confirmed) {
            connections = new CachingConnectionFactory(confirmed.getObject().getRabbitConnectionFactory());
        }

        CachingConnectionFactory connections() {
            return connections;
        }

        @Override
        public void close() {
            connections.destroy();
        }
    }

    static BeanPostProcessor configured(Consumer<SimpleRabbitListenerContainerFactory> how) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessBeforeInitialization(Object bean, String name) {
                if (bean instanceof SimpleRabbitListenerContainerFactory factory) {
                    how.accept(factory);
                }
                return bean;
            }
        };
    }

    @Test
    void aContainerThatAcknowledgesInsideItsTransactionIsRefusedAtStartUp() {
        assertThatThrownBy(() -> launch(OfRabbit.class))
                .hasMessageContaining("OfRabbit.pay")
                .hasMessageContaining("RabbitTransactionManager");
    }

    /** In transactions of the broker. */
    static class OfRabbit {

        @Bean
        static BeanPostProcessor transactions(ObjectProvider<ConnectionFactory> connections) {
            return configured(
                    factory -> factory.setTransactionManager(new RabbitTransactionManager(connections.getObject())));
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body) {}
    }

    @Test
    void aManualListenerInAContainerTransactionIsRefusedAtStartUp() {
        assertThatThrownBy(() -> launch(Transacted.class, MANUAL))
                .hasMessageContaining("Transacted.pay")
                .hasMessageContaining("acknowledge mode AUTO");
    }

    @Test
    void aTransactedChannelIsWarnedOfAtStartUp(CapturedOutput output) {
        launch(LocallyTransacted.class);

        assertThat(output).contains("LocallyTransacted.pay uses a transacted channel");
    }

    /** On a channel with transactions of its own. */
    static class LocallyTransacted {

        @Bean
        static Unconfirmed unconfirmed(ObjectProvider<CachingConnectionFactory> confirmed) {
            return new Unconfirmed(confirmed);
        }

        @Bean
        static BeanPostProcessor transactions(ObjectProvider<Unconfirmed> connections) {
            return configured(factory -> {
                factory.setChannelTransacted(true);
                factory.setConnectionFactory(connections.getObject().connections());
            });
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body) {}
    }

    @Test
    void transactedChannelsOfConnectionsWithConfirmsAreRefusedAtStartUp() {
        assertThatThrownBy(() -> launch(Confirmed.class))
                .hasMessageContaining("Confirmed.pay")
                .hasMessageContaining("publisher confirms");
    }

    /** What RabbitMQ would close at the first message, and for ever. */
    static class Confirmed {

        @Bean
        static BeanPostProcessor transactions(ObjectProvider<ObservedTransactions> transactions) {
            return configured(factory -> factory.setTransactionManager(transactions.getObject()));
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body) {}
    }
}
