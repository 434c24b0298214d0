package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import io.idem.IdempotencyContext;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import io.idem.servers.junit.RequiresRabbitMq;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.handler.annotation.Header;

/**
 * Messages that expire in their queue while their key is in progress: a return loses them, or makes dead letters of them. Qpid does not
 * deliver messages with an {@code expiration}, which it takes for a point in time.
 */
@ExtendWith(OutputCaptureExtension.class)
@RequiresRabbitMq
class RabbitExpiringMessageTest extends RabbitScenario {

    /** Of messages and of a queue: longer than a delivery takes, shorter than the waits of this test. */
    private static final int MILLIS_TO_LIVE = 1_000;

    /** By then a wait has lasted for more than {@link #MILLIS_TO_LIVE}: its pauses grow to half a second at least. */
    private static final int ASKED = 6;

    /** After it, a message that goes back is gone. */
    private static final String WAIT = "idem.consumer.in-place-wait=1200ms";

    private static final String BATCHES = "spring.rabbitmq.listener.simple.consumer-batch-enabled=true";

    private void sendExpiring(String key) {
        app().template().convertAndSend(app().name(), PAYMENTS, "one", message -> {
            message.getMessageProperties().setHeader(IdempotencyHeaders.KEY, key);
            message.getMessageProperties().setExpiration(Integer.toString(MILLIS_TO_LIVE));
            return message;
        });
    }

    private void assertHeldUntilItRan(Lease otherOwner, String key) {
        awaitUntil(() -> store().asked() > ASKED || !app().deadLetters().isEmpty());
        store().fail(otherOwner, Duration.ZERO);

        awaitUntil(() -> state(key) == RecordState.COMPLETED);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one");
        assertThat(log().count(EventLog.DELIVERY)).isEqualTo(1);
        assertThat(app().deadLetters()).isEmpty();
    }

    @Test
    void aMessageWithAnExpirationIsHeldWhileItsKeyIsInProgress() {
        launch(Single.class, WAIT);
        Lease otherOwner = takeAsOtherOwner("k1");

        sendExpiring("k1");

        assertHeldUntilItRan(otherOwner, "k1");
    }

    @Test
    void aMessageOfAQueueWithATimeToLiveIsHeldAndTheQueueIsWarnedOf(CapturedOutput output) {
        launch(OnExpiringQueue.class, WAIT);
        Lease otherOwner = takeAsOtherOwner("k1");

        app().template()
                .convertAndSend(
                        "",
                        app().name() + ".expiring",
                        "one",
                        message -> RabbitApplication.withHeaders(message, Map.of(IdempotencyHeaders.KEY, "k1")));

        assertHeldUntilItRan(otherOwner, "k1");
        assertThat(output).contains("x-message-ttl=" + MILLIS_TO_LIVE, "PT15M", "31200", "delay-queue");
    }

    @ParameterizedTest
    @ValueSource(strings = {MANUAL, "spring.rabbitmq.listener.type=direct", BATCHES})
    @Tag("extended")
    void itIsHeldWhateverItsContainer(String setting) {
        Class<?> listener =
                setting.equals(MANUAL) ? Manual.class : setting.equals(BATCHES) ? Batches.class : Single.class;
        launch(listener, WAIT, setting);
        Lease otherOwner = takeAsOtherOwner("k1");

        sendExpiring("k1");

        assertHeldUntilItRan(otherOwner, "k1");
    }

    /** It was delivered in time, so it runs; but nobody is told that it has the whole of its time left. */
    @Test
    @Tag("extended")
    void aMessageThatWaitsInADelayQueueKeepsWhatIsLeftOfItsTime() {
        launch(
                Expiration.class,
                "idem.consumer.rabbit.deferral.strategy=delay-queue",
                "idem.consumer.rabbit.deferral.delay-queue.type=classic",
                "idem.consumer.rabbit.deferral.delay-queue.delay=400ms");
        try {
            Lease otherOwner = takeAsOtherOwner("k1");
            sendExpiring("k1");
            awaitUntil(() -> store().asked() == 2);
            store().fail(otherOwner, Duration.ZERO);
            awaitUntil(() -> state("k1") == RecordState.COMPLETED);
            assertThat(script().bodies(PAYMENTS)).singleElement().isIn("600", "200");
        } finally {
            app().bean(RabbitAdmin.class).deleteQueue(app().name() + ".payments.delay-400ms");
        }
    }

    @AfterEach
    void deleteQueue() {
        app().bean(RabbitAdmin.class).deleteQueue(app().name() + ".expiring");
    }

    static class Single {

        private final ListenerScript script;

        Single(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }
    }

    static class Manual {

        private final ListenerScript script;

        Manual(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body, IdempotencyContext context, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag)
                throws Exception {
            script.run(PAYMENTS, body, context);
            channel.basicAck(tag, false);
        }
    }

    static class Batches {

        private final ListenerScript script;

        Batches(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments", batch = "true")
        @IdempotentListener(scope = PAYMENTS)
        void pay(List<String> bodies, List<IdempotencyContext> contexts) throws Exception {
            for (int i = 0; i < bodies.size(); i++) {
                script.run(PAYMENTS, bodies.get(i), contexts.get(i));
            }
        }
    }

    static class Expiration {

        private final ListenerScript script;

        Expiration(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        void pay(
                IdempotencyContext context,
                @Header(name = AmqpHeaders.EXPIRATION, required = false) @Nullable String expiration)
                throws Exception {
            script.run(PAYMENTS, String.valueOf(expiration), context);
        }
    }

    static class OnExpiringQueue {

        private final ListenerScript script;

        OnExpiringQueue(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.expiring")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }

        @Bean
        static Queue expiring(@Value("${test.name}") String name) {
            return QueueBuilder.durable(name + ".expiring").ttl(MILLIS_TO_LIVE).build();
        }
    }
}
