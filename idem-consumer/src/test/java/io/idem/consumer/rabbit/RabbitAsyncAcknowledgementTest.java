package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import io.idem.IdempotencyContext;
import io.idem.RecordState;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.contract.NoHold;
import io.idem.consumer.contract.Resettable;
import io.idem.consumer.internal.delivery.ListenerStops;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.handler.annotation.Header;

/** Listeners in mode MANUAL that return first and say later what becomes of their messages. */
@Tag("extended")
class RabbitAsyncAcknowledgementTest extends SharedRabbitScenario {

    private static final String ID = "payments";
    private static final String DIRECT = "spring.rabbitmq.listener.type=direct";
    private static final String DIRECT_MANUAL = "spring.rabbitmq.listener.direct.acknowledge-mode=manual";
    private static final String SHORT_LEASE = "test.lease=2s";

    /** A message that a listener has got, and the channel by which it settles. */
    record Got(String body, Channel channel, long tag) {

        void acknowledge() {
            acknowledge(false);
        }

        void acknowledge(boolean multiple) {
            tell(() -> channel.basicAck(tag, multiple));
        }

        void handBack(boolean multiple) {
            tell(() -> channel.basicNack(tag, multiple, true));
        }

        private static void tell(Telling telling) {
            try {
                telling.tell();
            } catch (IOException failed) {
                throw new IllegalStateException(failed);
            }
        }

        @FunctionalInterface
        private interface Telling {

            void tell() throws IOException;
        }
    }

    /** What listeners have got, and what they do before they return. */
    static class Pool implements Resettable {

        final List<Got> got = new CopyOnWriteArrayList<>();
        volatile Consumer<Got> work = got -> {};

        @Override
        public void reset() {
            got.clear();
            work = message -> {};
        }

        void take(Got message) {
            work.accept(message);
            got.add(message);
        }
    }

    @Import(Pool.class)
    static class Payments implements Resettable {

        private final ListenerScript script;
        private final Pool pool;

        Payments(ListenerScript script, Pool pool) {
            this.script = script;
            this.pool = pool;
        }

        @RabbitListener(id = ID, queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS, lease = "${test.lease:30s}")
        void pay(String body, IdempotencyContext context, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag)
                throws Exception {
            script.run(PAYMENTS, body, context);
            pool.take(new Got(body, channel, tag));
        }
    }

    private List<Got> awaitGot(int messages) {
        awaitUntil(() -> pool().got.size() == messages);
        return List.copyOf(pool().got);
    }

    private Pool pool() {
        return app().bean(Pool.class);
    }

    private MessageListenerContainer container() {
        return Objects.requireNonNull(
                app().bean(RabbitListenerEndpointRegistry.class).getListenerContainer(ID));
    }

    private boolean done(String... keys) {
        return List.of(keys).stream().allMatch(key -> state(key) == RecordState.COMPLETED);
    }

    private void staysOpen(String key) {
        await().during(Duration.ofMillis(500))
                .atMost(TIME_LIMIT)
                .until(() -> state(key) == RecordState.PENDING && log().count(EventLog.ACKNOWLEDGE) == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {MANUAL, DIRECT})
    void workIsRecordedAndAcknowledgedWhenItsListenerAcknowledgesAndNotBefore(String container) {
        launch(Payments.class, container, DIRECT_MANUAL);
        send("k1", "one");
        Got one = awaitGot(1).get(0);
        staysOpen("k1");

        one.acknowledge();

        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
        assertThat(log().withoutDeliveries()).containsExactly(EventLog.WORK, EventLog.COMPLETE, EventLog.ACKNOWLEDGE);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    void workThatItsListenerGivesBackLaterRunsAgain() {
        launch(Payments.class, MANUAL);
        send("k1", "one");
        Got first = awaitGot(1).get(0);
        staysOpen("k1");

        first.handBack(false);

        Got again = awaitGot(2).get(1);
        again.acknowledge();
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
        assertThat(script().calls())
                .extracting(call -> call.context().attempt())
                .containsExactly(1, 2);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    void anAcknowledgementOfSeveralCoversTheEarlierMessagesOfItsChannel() {
        launch(Payments.class, MANUAL);
        // One by one: a send with publisher confirms takes another channel while the last confirm is out, and RabbitMQ
        // orders per channel.
        IntStream.range(0, 5).forEach(i -> {
            send("k" + i, "body " + i);
            awaitGot(i + 1);
        });
        List<Got> got = awaitGot(5);

        got.get(3).acknowledge(true);

        assertThat(done("k0", "k1", "k2", "k3")).isTrue();
        assertThat(state("k4")).isEqualTo(RecordState.PENDING);
        List<String> order = log().withoutDeliveries();
        assertThat(order.lastIndexOf(EventLog.COMPLETE)).isLessThan(order.indexOf(EventLog.ACKNOWLEDGE));
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isEqualTo(4);
        assertThat(app().stopAndCountUnsettled()).isEqualTo(1);
    }

    @Test
    void aListenerThatAcknowledgesSeveralBeforeItReturnsCoversTheEarlierOnes() {
        launch(Payments.class, MANUAL);
        send("k0", "body 0");
        send("k1", "body 1");
        awaitGot(2);
        pool().work = last -> last.acknowledge(true);

        send("k2", "body 2");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 3);
        assertThat(done("k0", "k1", "k2")).isTrue();
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    void aNegativeAcknowledgementOfSeveralGivesEveryKeyBack() {
        launch(Payments.class, MANUAL);
        send("k0", "body 0");
        send("k1", "body 1");
        List<Got> first = awaitGot(2);
        pool().work = Got::acknowledge;

        first.get(1).handBack(true);

        awaitUntil(() -> done("k0", "k1"));
        assertThat(script().calls()).hasSize(4);
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    void workThatCannotBeRecordedIsNotAcknowledgedAndMayBeAcknowledgedAgain() {
        launch(List.of(Payments.class, NoHold.class), MANUAL);
        send("k1", "one");
        Got one = awaitGot(1).get(0);
        store().deafToComplete(true);

        assertThatThrownBy(one::acknowledge)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("could not be recorded", "acknowledge it again");
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isZero();

        store().deafToComplete(false);
        one.acknowledge();
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    void whenItsChannelHasEndedTheLeaseLapsesAndTheMessageIsTakenOver() {
        launch(Payments.class, MANUAL, SHORT_LEASE);
        send("k1", "one");
        awaitGot(1);
        pool().work = Got::acknowledge;

        container().stop();
        container().start();

        awaitUntil(() -> done("k1"));
        assertThat(script().calls()).hasSize(2);
        assertThat(script().calls().get(1).context().takeover()).isTrue();
    }

    @Test
    void whatIsAcknowledgedAfterItsChannelHasEndedIsRecordedAndDoesNotRunAgain() {
        launch(Payments.class, MANUAL);
        send("k1", "one");
        Got one = awaitGot(1).get(0);
        container().stop();

        // Whether a closed channel throws is its own business.
        var unused = catchThrowable(one::acknowledge);

        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
        container().start();
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(script().calls()).hasSize(1);
    }

    @Test
    void aLeaseIsNotRenewedForLongerThanTheLongestHold() {
        launch(Payments.class, MANUAL, SHORT_LEASE, "idem.consumer.outage.longest-hold=100ms");
        send("k1", "one");
        awaitGot(1);

        send("k1", "copy");

        awaitGot(2);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one", "copy");
    }

    @Test
    void aLeaseIsRenewedUntilTheAcknowledgement() {
        launch(Payments.class, MANUAL, SHORT_LEASE);
        send("k1", "one");
        Got one = awaitGot(1).get(0);
        send("k1", "copy");

        await().during(Duration.ofSeconds(5))
                .atMost(TIME_LIMIT)
                .until(() -> script().calls().size() == 1);
        one.acknowledge();

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one");
    }

    @Test
    void manyThreadsMayAcknowledgeAtOnce() {
        int messages = 200;
        launch(Payments.class, MANUAL, "spring.rabbitmq.listener.simple.prefetch=300");
        IntStream.range(0, messages).forEach(i -> send("k" + i, "body " + i));
        List<Got> got = new ArrayList<>(awaitGot(messages));
        Collections.shuffle(got, new Random(7));

        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            CompletableFuture.allOf(IntStream.range(0, messages)
                            .mapToObj(i ->
                                    CompletableFuture.runAsync(() -> got.get(i).acknowledge(i % 10 == 0), threads))
                            .toArray(CompletableFuture[]::new))
                    .join();
        } finally {
            threads.shutdown();
        }

        IntStream.range(0, messages)
                .forEach(i -> assertThat(state("k" + i)).as("k" + i).isEqualTo(RecordState.COMPLETED));
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isEqualTo(messages);
        assertThat(log().count(EventLog.DELIVERY)).isEqualTo(messages);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Import({Pool.class, RabbitInboxTest.Rows.class})
    static class WithInbox {

        private final ListenerScript script;
        private final Pool pool;

        WithInbox(ListenerScript script, Pool pool) {
            this.script = script;
            this.pool = pool;
        }

        @RabbitListener(id = ID, queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS, inbox = true)
        void pay(String body, IdempotencyContext context, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag)
                throws Exception {
            script.run(PAYMENTS, body, context);
            pool.take(new Got(body, channel, tag));
        }
    }

    @Test
    void withAnInboxAListenerThatAcknowledgesBeforeItReturnsIsSupported() {
        launch(WithInbox.class, MANUAL);
        pool().work = Got::acknowledge;

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(log().withoutDeliveries())
                .containsExactly(EventLog.WORK, EventLog.COMMIT, EventLog.COMPLETE, EventLog.ACKNOWLEDGE);
    }

    @Test
    void withAnInboxAListenerThatReturnsWithoutAWordIsRolledBackAndStopped() {
        launch(WithInbox.class, MANUAL);

        send("k1", "one");

        awaitUntil(() -> !container().isRunning());
        assertThat(app().bean(ListenerStops.class).reasons())
                .singleElement()
                .asString()
                .contains("WithInbox.pay", "without having acknowledged", "transaction of its inbox");
        awaitUntil(() -> app().ready(PAYMENTS) == 1);
        assertThat(log().count(EventLog.COMMIT)).isZero();
        assertThat(state("k1")).isEqualTo(RecordState.FAILED);
        assertThat(app().deadLetters()).isEmpty();
    }
}
