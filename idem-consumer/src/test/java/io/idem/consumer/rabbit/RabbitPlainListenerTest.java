package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Idempotent;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.contract.OtherOwner;
import io.idem.servers.junit.RequiresRabbitMq;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.RabbitListenerErrorHandler;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@code @Idempotent} methods that listeners without idem's annotation call. Retries of the container are on, and what they cannot mend is
 * a dead letter.
 */
class RabbitPlainListenerTest extends RabbitScenario {

    private static final String LONG_WAIT = "idem.consumer.in-place-wait=5m";

    private static void sendTo(RabbitApplication app, String... bodies) {
        for (String body : bodies) {
            app.send(body, Map.of());
        }
    }

    private int entries() {
        return app().bean(Service.class).entries();
    }

    /** From spring-rabbit 4.1.2 on, a container rejects what comes again. */
    private long returns() {
        return log().count(EventLog.HAND_BACK) + log().count(EventLog.REJECT);
    }

    private void assertWaitsAndRunsOnce(Class<?> listener, String... settings) {
        launch(listener, settings);
        Lease otherOwner = takeAsOtherOwner("one");

        sendTo(app(), "one");
        awaitUntil(() -> returns() >= 3);
        store().fail(otherOwner, Duration.ZERO);

        awaitUntil(() -> state("one") == RecordState.COMPLETED);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one");
        assertThat(app().deadLetters()).isEmpty();
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    /** The listener is entered once a delivery, so the container's retry has seen nothing. */
    @Test
    void aMessageWhoseCallIsInProgressGoesBackAndIsNeverRetriedNorADeadLetter() {
        assertWaitsAndRunsOnce(Plain.class);
        assertThat(entries()).isEqualTo((int) returns() + 1);
    }

    @Test
    @Tag("extended")
    void directContainersWaitToo() {
        assertWaitsAndRunsOnce(Plain.class, "spring.rabbitmq.listener.type=direct");
        assertThat(entries()).isEqualTo((int) returns() + 1);
    }

    @Test
    void aCallWaitsOnItsThreadForAKeyThatIsFreeSoon() {
        launch(Plain.class, LONG_WAIT);
        Lease otherOwner = takeAsOtherOwner("one");

        sendTo(app(), "one");
        awaitUntil(() -> entries() == 1);
        store().fail(otherOwner, Duration.ZERO);

        awaitUntil(() -> state("one") == RecordState.COMPLETED);
        assertThat(entries()).isEqualTo(1);
        assertThat(log().count(EventLog.DELIVERY)).isEqualTo(1);
    }

    @Test
    @Tag("extended")
    void aCallOnAnotherThreadForWhichTheListenerWaitsIsDeferredToo() {
        assertWaitsAndRunsOnce(ThroughAPool.class);
    }

    @Test
    void aListenerThatAcknowledgesKeepsItsMessageUntilItsCallHasRun() {
        launch(Manual.class, MANUAL);
        Lease otherOwner = takeAsOtherOwner("one");

        sendTo(app(), "one");
        awaitUntil(() -> store().asked() > 3);
        store().fail(otherOwner, Duration.ZERO);

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one");
        assertThat(log().count(EventLog.DELIVERY)).isEqualTo(1);
        assertThat(app().deadLetters()).isEmpty();
    }

    /** Qpid does not offer messages again that one {@code basic.nack} gives back together. */
    @Test
    @RequiresRabbitMq
    void aBatchWithACallInProgressComesAgainAndItsOtherCallsAreDuplicates() {
        launch(
                Batches.class,
                "spring.rabbitmq.listener.simple.consumer-batch-enabled=true",
                "spring.rabbitmq.listener.simple.batch-size=3");
        Lease otherOwner = takeAsOtherOwner("two");

        sendTo(app(), "one", "two", "three");
        awaitUntil(() -> returns() >= 3);
        store().fail(otherOwner, Duration.ZERO);

        awaitUntil(() -> state("two") == RecordState.COMPLETED && state("three") == RecordState.COMPLETED);
        assertThat(script().bodies(PAYMENTS)).containsExactlyInAnyOrder("one", "two", "three");
        assertThat(app().deadLetters()).isEmpty();
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    @Tag("extended")
    void containersThatAreBeansWaitToo() {
        assertWaitsAndRunsOnce(OwnContainer.class);
    }

    @Test
    @Tag("extended")
    void anErrorHandlerThatTakesEveryFailureOverDoesNotGetIt() {
        assertWaitsAndRunsOnce(Excused.class);
    }

    @Test
    @Tag("extended")
    void aMessageWithoutAnIdUnderAStatefulRetryStopsNoConsumer() {
        assertWaitsAndRunsOnce(Plain.class, "spring.rabbitmq.listener.simple.retry.stateless=false");
    }

    @Test
    @Tag("extended")
    void anAsynchronousListenerWhoseCallReturnsAFutureWaitsForTheGrant() {
        launch(Later.class, "spring.rabbitmq.listener.simple.default-requeue-rejected=true");
        Lease otherOwner = OtherOwner.take(store(), new RecordId(IdempotencyKey.of("one"), new Scope("later")));

        sendTo(app(), "one");
        awaitUntil(() -> store().asked() > 3);
        store().fail(otherOwner, Duration.ZERO);

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(log().count(EventLog.DELIVERY)).isEqualTo(1);
        assertThat(entries()).isEqualTo(1);
    }

    /** Its own work would count as failed if its message went back. */
    @Test
    @Tag("extended")
    void aCallOfAnIdempotentListenerWaitsUntilItsKeyIsFree() {
        launch(Guarded.class);
        Lease otherOwner = takeAsOtherOwner("one");

        send("k1", "one");
        awaitUntil(() -> store().asked() > 5);
        store().fail(otherOwner, Duration.ZERO);

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(entries()).isEqualTo(1);
        assertThat(app().deadLetters()).isEmpty();
    }

    /** Its grant would come at once, so its message would only go round. */
    @ParameterizedTest
    @ValueSource(classes = {GuardedLater.class, GuardedThroughAPool.class})
    void aCallOnAnotherThreadOfAnIdempotentListenerWaitsInItsDelivery(Class<?> listener) {
        launch(listener, LONG_WAIT);
        Lease otherOwner = takeAsOtherOwner("one");

        send("k1", "one");
        awaitUntil(() -> entries() >= 3);
        store().fail(otherOwner, Duration.ZERO);

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one");
        assertThat(log().count(EventLog.DELIVERY)).isEqualTo(1);
        assertThat(app().deadLetters()).isEmpty();
    }

    @Test
    @Tag("extended")
    void aSilentStoreIsWaitedFor() {
        launch(Plain.class);
        store().silent(true);

        sendTo(app(), "one");
        awaitUntil(() -> returns() >= 3);
        store().silent(false);

        awaitUntil(() -> state("one") == RecordState.COMPLETED);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one");
        assertThat(app().deadLetters()).isEmpty();
    }

    @Test
    @Tag("extended")
    void otherFailuresStayTheContainers() {
        launch(Plain.class);
        script().then(ListenerScript.fail(), ListenerScript.fail(), ListenerScript.fail());

        sendTo(app(), "one");

        awaitUntil(() -> app().deadLetters().contains("one"));
        assertThat(entries()).isEqualTo(3);
    }

    static class Service {

        private final ListenerScript script;
        private final AtomicInteger entries = new AtomicInteger();

        Service(ListenerScript script) {
            this.script = script;
        }

        int entries() {
            return entries.get();
        }

        /** Not guarded: counts how often a listener calls. */
        void enter() {
            entries.incrementAndGet();
        }

        @Idempotent(scope = PAYMENTS, key = "#body")
        String pay(String body) throws Exception {
            return script.run(PAYMENTS, body, IdempotencyContext.current().orElseThrow());
        }

        @Idempotent(scope = "later", key = "#body")
        CompletableFuture<String> payLater(String body) {
            return CompletableFuture.completedFuture("done " + body);
        }
    }

    @Import(Service.class)
    static class Plain {

        private final Service service;

        Plain(Service service) {
            this.service = service;
        }

        @RabbitListener(queues = "${test.name}.payments")
        void on(String body) throws Exception {
            service.enter();
            service.pay(body);
        }
    }

    @Import(Service.class)
    static class Excused {

        private final Service service;

        Excused(Service service) {
            this.service = service;
        }

        @RabbitListener(queues = "${test.name}.payments", errorHandler = "excusing")
        void on(String body) throws Exception {
            service.pay(body);
        }

        @Bean
        static RabbitListenerErrorHandler excusing() {
            return (amqpMessage, channel, message, failure) -> null;
        }
    }

    @Import(Service.class)
    static class Guarded {

        private final Service service;

        Guarded(Service service) {
            this.service = service;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = "guarded")
        void on(String body) throws Exception {
            service.enter();
            service.pay(body);
        }
    }

    @Import(Service.class)
    static class GuardedLater {

        private final Service service;

        GuardedLater(Service service) {
            this.service = service;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = "guarded")
        CompletableFuture<@Nullable Void> on(String body) {
            return CompletableFuture.runAsync(() -> pay(body));
        }

        private void pay(String body) {
            try {
                service.enter();
                service.pay(body);
            } catch (Exception failure) {
                throw new CompletionException(failure);
            }
        }
    }

    @Import(Service.class)
    static class GuardedThroughAPool extends ThroughAPool {

        GuardedThroughAPool(Service service) {
            super(service);
        }

        @Override
        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = "guarded")
        void on(String body) throws Exception {
            super.on(body);
        }
    }

    @Import(Service.class)
    static class ThroughAPool {

        private final Service service;
        private final ExecutorService pool = Executors.newCachedThreadPool();

        ThroughAPool(Service service) {
            this.service = service;
        }

        @RabbitListener(queues = "${test.name}.payments")
        void on(String body) throws Exception {
            service.enter();
            pool.submit(() -> service.pay(body)).get();
        }
    }

    @Import(Service.class)
    static class Manual {

        private final Service service;

        Manual(Service service) {
            this.service = service;
        }

        @RabbitListener(queues = "${test.name}.payments")
        void on(Message message, Channel channel) throws Exception {
            service.pay(new String(message.getBody(), StandardCharsets.UTF_8));
            channel.basicAck(message.getMessageProperties().getDeliveryTag(), false);
        }
    }

    @Import(Service.class)
    static class Batches {

        private final Service service;

        Batches(Service service) {
            this.service = service;
        }

        @RabbitListener(queues = "${test.name}.payments", batch = "true")
        void on(List<String> bodies) throws Exception {
            for (String body : bodies) {
                service.pay(body);
            }
        }
    }

    @Import(Service.class)
    static class Later {

        private final Service service;

        Later(Service service) {
            this.service = service;
        }

        @RabbitListener(queues = "${test.name}.payments")
        CompletableFuture<@Nullable Void> on(String body) {
            service.enter();
            return service.payLater(body).thenAccept(done -> {});
        }
    }

    @Import(Service.class)
    static class OwnContainer {

        @Bean
        DirectMessageListenerContainer container(
                ConnectionFactory connections, Service service, @Value("${test.name}") String name) {
            DirectMessageListenerContainer container = new DirectMessageListenerContainer(connections);
            container.setQueueNames(name + ".payments");
            container.setDefaultRequeueRejected(false);
            container.setMessageListener(message -> {
                try {
                    service.pay(new String(message.getBody(), StandardCharsets.UTF_8));
                } catch (RuntimeException failure) {
                    throw failure;
                } catch (Exception failure) {
                    throw new IllegalStateException(failure);
                }
            });
            return container;
        }
    }
}
