package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.ContractConfiguration.CollectedEvents;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import io.idem.servers.AmqpServers;
import io.idem.servers.SharedServers;
import io.idem.servers.junit.RequiresRabbitMq;
import io.idem.servers.junit.RequiresRecentRabbitMq;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.handler.annotation.Header;

/** Quorum queues of a real RabbitMQ: up to 4.2 they count every redelivery and drop or dead-letter what comes too often. */
@ExtendWith(OutputCaptureExtension.class)
@RequiresRabbitMq
class RabbitQuorumQueueTest extends RabbitScenario {

    private static final int LIMIT = 3;

    private final String key = UUID.randomUUID().toString();

    @AfterEach
    void deleteQueues() {
        RabbitAdmin admin = app().bean(RabbitAdmin.class);
        admin.deleteQueue(app().name() + ".quorum");
        admin.deleteQueue(app().name() + ".quorum.dead");
    }

    private void sendToQuorum(String body) {
        app().template()
                .convertAndSend(
                        "",
                        app().name() + ".quorum",
                        body,
                        message -> RabbitApplication.withHeaders(message, Map.of(IdempotencyHeaders.KEY, key)));
    }

    private static @Nullable Object header(Message letter, String name) {
        return letter.getMessageProperties().getHeaders().get(name);
    }

    /** Without growing waits the message would be gone after two more of half a second. */
    @Test
    void waitingForAnotherOwnerDoesNotUseUpTheDeliveryLimit() {
        launch(Listener.class, "idem.consumer.in-place-wait=500ms");
        Lease otherOwner = takeAsOtherOwner(key);
        sendToQuorum("one");

        awaitUntil(() -> log().count(EventLog.HAND_BACK) == LIMIT - 1);
        store().fail(otherOwner, Duration.ZERO);

        awaitUntil(() -> state(key) == RecordState.COMPLETED);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one");
        assertThat(app().bean(Listener.class).counts())
                .containsExactly(AmqpServers.realRabbitMqAtLeast(4, 3) ? 0 : LIMIT - 1L);
        assertThat(app().receive("quorum.dead")).isNull();
    }

    /** RabbitMQ 4.3 counts rejected messages alone: a deferral has to be a negative acknowledgement. */
    @Test
    @RequiresRecentRabbitMq
    void fiveDeferralsDoNotUseUpADeliveryLimitOfTwo() {
        launch(Listener.class, "idem.consumer.in-place-wait=200ms", "test.delivery-limit=2");
        Lease otherOwner = takeAsOtherOwner(key);
        sendToQuorum("one");

        awaitUntil(() -> log().count(EventLog.HAND_BACK) >= 5);
        store().fail(otherOwner, Duration.ZERO);

        awaitUntil(() -> state(key) == RecordState.COMPLETED);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one");
        assertThat(app().receive("quorum.dead")).isNull();
    }

    /** The listener's failures are what the limit is for; the dead letter keeps the key, so that it can be redriven. */
    @Test
    void whatFailsTooOftenIsDeadLetteredWithItsKey() {
        launch(
                Listener.class,
                "spring.rabbitmq.listener.simple.retry.enabled=false",
                "spring.rabbitmq.listener.simple.default-requeue-rejected=true");
        script().then(ListenerScript.fail(), ListenerScript.fail(), ListenerScript.fail(), ListenerScript.fail());
        script().then(ListenerScript.fail(), ListenerScript.fail());

        sendToQuorum("one");

        Message letter = app().awaitMessage("quorum.dead");
        assertThat(header(letter, IdempotencyHeaders.KEY)).isEqualTo(key);
        assertThat(letter.getMessageProperties().getXDeathHeader())
                .singleElement()
                .satisfies(death -> assertThat(death.get("reason")).hasToString("delivery_limit"));
        assertThat(script().bodies(PAYMENTS)).hasSize(LIMIT + 1);
        assertThat(state(key)).isEqualTo(RecordState.FAILED);
    }

    @Test
    void aDeadLetterThatComesBackToItsQueueIsSaidWithTheSettings(CapturedOutput output) {
        launch(Listener.class);
        store().reject(takeAsOtherOwner(key), "no such account");
        sendToQuorum("one");
        Message letter = app().awaitMessage("quorum.dead");
        assertThat(output).doesNotContain("came back");

        app().template().send("", app().name() + ".quorum", letter);

        app().awaitMessage("quorum.dead");
        assertThat(output).contains("came back", "idem.consumer.rabbit.dead-letter.exchange");
    }

    @Test
    void aMessageThatIsRefusedForGoodIsDeadLetteredAtLeastOnceWithItsKey() {
        launch(Listener.class);
        store().reject(takeAsOtherOwner(key), "no such account");

        sendToQuorum("one");

        Message letter = app().awaitMessage("quorum.dead");
        assertThat(header(letter, IdempotencyHeaders.KEY)).isEqualTo(key);
        assertThat(script().calls()).isEmpty();
        awaitUntil(() -> app().ready("quorum") == 0);
    }

    /** Without a pause the message would be gone at once, without ever having been a dead letter of idem's. */
    @Test
    void aDeadLetterThatNobodyTakesDoesNotUseUpTheDeliveryLimit() {
        launch(
                Listener.class,
                "idem.consumer.in-place-wait=500ms",
                "idem.consumer.rabbit.dead-letter.exchange=${test.name}",
                "idem.consumer.rabbit.dead-letter.routing-key=" + NOWHERE);
        store().reject(takeAsOtherOwner(key), "no such account");
        sendToQuorum("one");

        awaitUntil(() -> log().count(EventLog.HAND_BACK) == LIMIT - 1);
        app().bind("settled", NOWHERE);

        assertThat(app().awaitMessage("settled").getBody()).asString().isEqualTo("one");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(app().receive("quorum.dead")).isNull();
    }

    /** Its first consumer is cut off while it works; the second gets the message at once, and waits. */
    @Test
    void theNextSingleActiveConsumerWaitsForTheOneThatIsStillAtIt() throws Exception {
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        String[] redis = {
            "test.store=redis", "spring.data.redis.url=" + SharedServers.redis().uri()
        };
        launch(Listener.class, redis);
        script().then(call -> {
            working.countDown();
            goOn.await();
            return "done";
        });
        sendToQuorum("one");
        working.await();
        try (RabbitApplication second = RabbitApplication.start(
                List.of(Listener.class),
                redis[0],
                redis[1],
                "test.name=" + app().name(),
                "idem.consumer.in-place-wait=20s")) {
            app().bean(CachingConnectionFactory.class).resetConnection();
            awaitUntil(() -> second.bean(EventLog.class).count(EventLog.DELIVERY) == 1);
            goOn.countDown();

            awaitUntil(() -> !second.bean(CollectedEvents.class)
                    .of(ConsumerEvent.Duplicate.class)
                    .isEmpty());
            assertThat(second.bean(ListenerScript.class).calls()).isEmpty();
            assertThat(script().bodies(PAYMENTS)).containsExactly("one");
            awaitUntil(() -> app().ready("quorum") == 0);
        }
    }

    static class Listener {

        private final ListenerScript script;
        private final List<Long> counts = new CopyOnWriteArrayList<>();

        Listener(ListenerScript script) {
            this.script = script;
        }

        /** How many returns the broker had counted at each call; not a field access, since the bean is behind a proxy. */
        List<Long> counts() {
            return counts;
        }

        @RabbitListener(id = "first", queues = "${test.name}.quorum")
        @IdempotentListener(scope = PAYMENTS)
        void pay(
                String body,
                IdempotencyContext context,
                @Header(name = "x-delivery-count", required = false) @Nullable Long count)
                throws Exception {
            counts.add(count == null ? 0 : count);
            script.run(PAYMENTS, body, context);
        }

        @Bean
        Queue quorumDead(@Value("${test.name}") String name) {
            return QueueBuilder.durable(name + ".quorum.dead").quorum().build();
        }

        @Bean
        Queue quorum(@Value("${test.name}") String name, @Value("${test.delivery-limit:" + LIMIT + "}") int limit) {
            return QueueBuilder.durable(name + ".quorum")
                    .quorum()
                    .singleActiveConsumer()
                    .deliveryLimit(limit)
                    .overflow(QueueBuilder.Overflow.rejectPublish)
                    .withArgument("x-dead-letter-strategy", "at-least-once")
                    .deadLetterExchange("")
                    .deadLetterRoutingKey(name + ".quorum.dead")
                    .build();
        }
    }
}
