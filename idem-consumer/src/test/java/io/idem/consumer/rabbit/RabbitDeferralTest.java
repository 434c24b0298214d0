package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.IdempotencyContext;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.internal.rabbit.defer.DelayQueue;
import io.idem.consumer.internal.rabbit.defer.DelayedMessage;
import io.idem.servers.RunningAmqp;
import io.idem.servers.SharedServers;
import io.idem.servers.junit.RequiresRabbitMq;
import io.idem.servers.qpid.QpidDeclarations;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The ways in which a message waits that cannot run now. */
class RabbitDeferralTest extends RabbitScenario {

    private static final Duration DELAY = Duration.ofMillis(300);
    private static final String DEFERRAL = "idem.consumer.rabbit.deferral.";
    private static final String DELAYED = DEFERRAL + "scopes.payments=delay-queue";
    private static final String SHORT_DELAY = DEFERRAL + "delay-queue.delay=300ms";
    private static final String DECLARED_BY_APPLICATION = DEFERRAL + "delay-queue.declare=false";
    private static final String LONG_WAIT = "idem.consumer.in-place-wait=5m";

    private boolean delaying;

    private void launchDelaying(Class<?> listeners, String... settings) {
        launch(
                listeners,
                Stream.concat(Stream.of(SHORT_DELAY), Stream.of(settings)).toArray(String[]::new));
        delaying = true;
    }

    /** Before the queue that it dead-letters to: Qpid keeps that one until then. */
    @AfterEach
    void deleteDelayQueue() {
        if (delaying) {
            app().bean(RabbitListenerEndpointRegistry.class).stop();
            app().bean(AmqpAdmin.class).deleteQueue(delayQueue(app().name()).name());
        }
    }

    private List<MessageProperties> seen() {
        return app().bean(Recording.class).seen();
    }

    private static DelayQueue delayQueue(String application) {
        return new DelayQueue(application + ".payments", DELAY);
    }

    @Test
    void aMessageWaitsInADelayQueueWithoutAConsumerAndRunsAsWhatItWas() {
        launchDelaying(WithDelayQueue.class, DELAYED, DECLARED_BY_APPLICATION, LONG_WAIT);
        Lease otherOwner = takeAsOtherOwner("k1");

        app().send("one", Map.of(IdempotencyHeaders.KEY, "k1", "own", "mine"));
        awaitUntil(() -> events(ConsumerEvent.Deferred.class).size() >= 2);
        send("k2", "two");
        awaitUntil(() -> state("k2") == RecordState.COMPLETED);
        store().fail(otherOwner, Duration.ZERO);

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(script().bodies(PAYMENTS)).containsExactly("two", "one");
        MessageProperties properties = seen().get(1);
        assertThat(properties.getHeaders())
                .containsEntry(IdempotencyHeaders.KEY, "k1")
                .containsEntry("own", "mine")
                .doesNotContainKey(DelayedMessage.HEADER);
        assertThat(properties.getReceivedExchange()).isEqualTo(app().name());
        assertThat(properties.getReceivedRoutingKey()).isEqualTo(PAYMENTS);
        assertThat(properties.getReceivedDeliveryMode()).isNotNull();
        assertThat(log().count(EventLog.HAND_BACK)).isZero();
        assertThat(app().deadLetters()).isEmpty();
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @ParameterizedTest
    @EnumSource(DeferralStrategy.class)
    @Tag("extended")
    void aMessageThatWaitsIsDeliveredNoFasterThanItsStrategySays(DeferralStrategy strategy) {
        launchDelaying(WithDelayQueue.class, DEFERRAL + "strategy=" + strategy, DECLARED_BY_APPLICATION);
        takeAsOtherOwner("k1");
        long begin = System.nanoTime();

        send("k1", "one");
        awaitUntil(() -> log().count(EventLog.DELIVERY) >= 5);

        long deliveries = log().count(EventLog.DELIVERY);
        Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
        Duration pace = Duration.ofMillis(strategy == DeferralStrategy.DELAY_QUEUE ? 300 : 200);
        assertThat(pace.multipliedBy(deliveries - 2)).isLessThanOrEqualTo(elapsed);
        assertThat(script().calls()).isEmpty();
        assertThat(log().count(EventLog.REJECT)).isZero();
    }

    @Test
    void aMessageWhoseDelayQueueHasVanishedWaitsInPlaceAndIsKept() {
        launchDelaying(WithDelayQueue.class, DELAYED, DECLARED_BY_APPLICATION);
        app().bean(AmqpAdmin.class).deleteQueue(delayQueue(app().name()).name());
        takeAsOtherOwner("k1");

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.HAND_BACK) >= 2);
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isZero();
        assertThat(app().stopAndCountUnsettled()).isEqualTo(1);
    }

    @Test
    void aDelayQueueThatIsNotThereIsRefusedAtStartUp() {
        assertThatThrownBy(() -> launch(AutoListeners.class, DELAYED, DECLARED_BY_APPLICATION))
                .rootCause()
                .hasMessageContaining(".payments.delay-10000ms")
                .hasMessageContaining("is not there")
                .hasMessageContaining("x-dead-letter-routing-key");
    }

    @Test
    void aDelayAsLongAsTheRetentionIsRefusedAtStartUp() {
        assertThatThrownBy(() -> launch(AutoListeners.class, DELAYED, "idem.consumer.retention=10s", "idem.lease=2s"))
                .rootCause()
                .hasMessageContaining("idem.consumer.rabbit.deferral.delay-queue.delay")
                .hasMessageContaining("retention");
    }

    @Test
    @RequiresRabbitMq
    void aDeclaredDelayQueueReturnsAMessageWithoutTracesOrFurtherCopies() {
        launchDelaying(Recording.class, DELAYED);
        Lease otherOwner = takeAsOtherOwner("k1");

        app().send("one", Map.of(IdempotencyHeaders.KEY, "k1", "CC", List.of("settled")));
        awaitUntil(() -> events(ConsumerEvent.Deferred.class).size() >= 3);
        store().fail(otherOwner, Duration.ZERO);

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(seen().get(0).getHeaders())
                .containsEntry("CC", List.of("settled"))
                .doesNotContainKeys(DelayedMessage.HEADER, "x-death", "x-first-death-queue");
        assertThat(seen().get(0).getReceivedExchange()).isEqualTo(app().name());
        assertThat(app().ready("settled")).isEqualTo(1);
    }

    /** Keeps what its messages looked like when they ran. */
    static class Recording {

        private final List<MessageProperties> seen = new CopyOnWriteArrayList<>();
        private final ListenerScript script;

        Recording(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body, Message message, IdempotencyContext context) throws Exception {
            seen.add(message.getMessageProperties());
            script.run(PAYMENTS, body, context);
        }

        List<MessageProperties> seen() {
            return seen;
        }
    }

    /** Declares its delay queue by itself, in the words of its broker. */
    static class WithDelayQueue extends Recording {

        WithDelayQueue(ListenerScript script) {
            super(script);
        }

        @Bean
        static Declarables delayQueues(Environment environment) {
            Queue declared = delayQueue(environment.getRequiredProperty("test.name"))
                    .declaration(DeferralSettings.QueueType.CLASSIC);
            boolean qpid = SharedServers.amqp().flavour() == RunningAmqp.Flavour.QPID;
            return new Declarables(new Queue(
                    declared.getName(),
                    true,
                    false,
                    false,
                    qpid ? QpidDeclarations.queueArguments(declared.getArguments()) : declared.getArguments()));
        }
    }
}
