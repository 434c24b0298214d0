package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Lease;
import io.idem.RecordState;
import io.idem.StoredResult;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.rabbit.RabbitBatchListeners.Batches;
import io.idem.consumer.rabbit.RabbitBatchListeners.ByPrefix;
import io.idem.consumer.rabbit.RabbitBatchListeners.GivingBack;
import io.idem.consumer.rabbit.RabbitBatchListeners.Open;
import io.idem.consumer.rabbit.RabbitBatchListeners.Payloads;
import io.idem.consumer.rabbit.RabbitBatchListeners.RawMessages;
import io.idem.consumer.rabbit.RabbitBatchListeners.SpringMessages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.retry.MessageBatchRecoverer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;

/** Batches that a container makes: every message is settled alone, and no settlement disturbs the channel. */
class RabbitBatchTest extends RabbitScenario {

    private static final Duration IN_PLACE_WAIT = Duration.ofMillis(200);
    private static final String NO_KEY = "no key";
    private static final String REQUEUE = "spring.rabbitmq.listener.simple.default-requeue-rejected=true";

    private void launchBatches(Class<?> listener, String... settings) {
        launch(List.of(Batches.class, listener), settings);
    }

    private Batches batches() {
        return app().bean(Batches.class);
    }

    /** On one channel: so they keep their order. */
    private void sendAll(String... keys) {
        app().template().invoke(channel -> {
            for (String key : keys) {
                channel.send(app().name(), PAYMENTS, message(key));
            }
            return keys;
        });
        awaitUntil(() -> app().ready(PAYMENTS) == keys.length);
        startListener();
    }

    private void startListener() {
        Objects.requireNonNull(app().bean(RabbitListenerEndpointRegistry.class).getListenerContainer("batches"))
                .start();
    }

    private static Message message(String key) {
        Message message = MessageBuilder.withBody(key.replaceFirst(".*:", "").getBytes(StandardCharsets.UTF_8))
                .setContentType("text/plain")
                .build();
        if (!key.equals(NO_KEY)) {
            message.getMessageProperties().setHeader(IdempotencyHeaders.KEY, key);
        }
        return message;
    }

    private void doneBefore(String... keys) {
        for (String key : keys) {
            store().complete(takeAsOtherOwner(key), StoredResult.NONE);
        }
    }

    private void awaitDone(String... keys) {
        awaitUntil(() -> Stream.of(keys).allMatch(key -> state(key) == RecordState.COMPLETED));
    }

    /** Nothing is left, and the channel has seen no settlement that it refused. */
    @AfterEach
    void nothingIsLeftAndNoConsumerWasRestarted() {
        assertThat(app().stopAndCountUnsettled()).isZero();
        assertThat(batches().restarts).isEmpty();
    }

    @Test
    void duplicatesFirstInTheMiddleAndLastAreLeftOutAndAKeyTwiceRunsOnce() {
        launchBatches(Payloads.class, "test.batch=6");
        doneBefore("k0", "k2", "k4");

        sendAll("k0", "k1", "k2", "k3", "k1", "k4");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 6);
        assertThat(batches().bodies()).containsExactly("k1/k1", "k3/k3");
        List<String> order = log().withoutDeliveries();
        assertThat(order.lastIndexOf(EventLog.COMPLETE)).isLessThan(order.indexOf(EventLog.ACKNOWLEDGE));

        List.of("k0", "k1", "k2", "k3", "k4", "k1").forEach(key -> send(key, key));
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 12);
        assertThat(batches().calls).hasSize(1);
        assertThat(log().count(EventLog.HAND_BACK)).isZero();
    }

    @Test
    void messagesInProgressOfABatchComeAgainAtThePaceOfSingleOnes() {
        launchBatches(Payloads.class);
        Lease first = takeAsOtherOwner("k0");
        Lease last = takeAsOtherOwner("k3");
        long begin = System.nanoTime();

        sendAll("k0", "k1", "k2", "k3");
        awaitDone("k1", "k2");
        awaitUntil(() -> log().count(EventLog.HAND_BACK) >= 6);
        long roundsOfBoth = log().count(EventLog.HAND_BACK) / 2;
        Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
        assertThat(IN_PLACE_WAIT.multipliedBy(roundsOfBoth - 1)).isLessThanOrEqualTo(elapsed);
        assertThat(batches().bodies()).containsExactly("k1/k1", "k2/k2");

        store().fail(first, Duration.ZERO);
        store().fail(last, Duration.ZERO);
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 4);
        assertThat(batches().bodies()).containsExactlyInAnyOrder("k1/k1", "k2/k2", "k0/k0", "k3/k3");
        assertThat(log().count(EventLog.REJECT)).isZero();
    }

    @Test
    void aMessageInProgressWaitsInPlaceAndGoesBackWhenItsContainerStops() {
        launchBatches(Payloads.class, "idem.consumer.in-place-wait=5m");
        Lease otherOwner = takeAsOtherOwner("k1");
        takeAsOtherOwner("k2");

        sendAll("k0", "k1", "k2");
        awaitDone("k0");
        store().fail(otherOwner, Duration.ZERO);
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(batches().bodies()).containsExactly("k0/k0", "k1/k1");
        assertThat(log().count(EventLog.HAND_BACK)).isZero();

        assertThat(app().stopAndCountUnsettled()).isEqualTo(1);
        assertThat(log().count(EventLog.HAND_BACK)).isEqualTo(1);
        app().receive(PAYMENTS);
    }

    @Test
    void aFailingListenerGivesAllKeysBackAndEverythingThatItGotComesAgain() {
        launchBatches(Payloads.class, NO_RETRY, REQUEUE);
        doneBefore("k3");
        batches().fail(1);

        sendAll("k0", "k1", "k2", "k3");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 4);

        assertThat(batches().bodies()).hasSize(6).contains("k0/k0", "k1/k1", "k2/k2");
        assertThat(log().count(EventLog.REJECT)).isEqualTo(3);
        assertThat(app().deadLetters()).isEmpty();
    }

    @Test
    void whatCannotBeConvertedOrHasNoKeyOrIsNotToBeRequeuedIsDeadLetteredAlone() {
        launchBatches(Payloads.class, NO_RETRY);

        sendAll("k3:" + RabbitBatchListeners.BROKEN, "k0", NO_KEY, "k2");
        awaitDone("k0", "k2");
        awaitUntil(() -> app().deadLetters().size() == 2);
        assertThat(app().deadLetters()).containsExactlyInAnyOrder(NO_KEY, RabbitBatchListeners.BROKEN);
        assertThat(batches().bodies()).containsExactly("k0/k0", "k2/k2");
        assertThat(state("k3:broken")).isNotEqualTo(RecordState.COMPLETED);

        batches().fail(1);
        send("k4", "four");
        awaitUntil(() -> app().deadLetters().contains("four"));
        assertThat(state("k4")).isEqualTo(RecordState.FAILED);
    }

    @Test
    void aKeyExpressionThatFailsRefusesItsOwnMessageAlone() {
        launchBatches(ByPrefix.class, "test.batch=3");

        sendAll("k0", "k", "k2");

        awaitDone("k0", "k2");
        awaitUntil(() -> app().deadLetters().contains("k"));
        assertThat(batches().bodies()).containsExactly("k0", "k2");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
    }

    @Test
    void aDeadLetterThatNobodyTakesWaitsAloneAndWithoutBeingHandedBack() {
        launchBatches(
                Payloads.class,
                "idem.consumer.in-place-wait=5m",
                "idem.consumer.rabbit.dead-letter.exchange=${test.name}",
                "idem.consumer.rabbit.dead-letter.routing-key=" + NOWHERE);
        Lease second = takeAsOtherOwner("k2");
        Lease third = takeAsOtherOwner("k3");
        sendAll("k0", NO_KEY, "k2", "k3");
        awaitDone("k0");
        store().fail(second, Duration.ZERO);
        store().fail(third, Duration.ZERO);
        awaitDone("k2", "k3");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 3);
        await().during(Duration.ofSeconds(1))
                .atMost(TIME_LIMIT)
                .until(() -> log().count(EventLog.ACKNOWLEDGE) == 3 && log().count(EventLog.HAND_BACK) == 0);

        app().bind("settled", NOWHERE);

        assertThat(app().awaitMessage("settled").getBody()).asString().isEqualTo(NO_KEY);
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 4);
        assertThat(log().count(EventLog.DELIVERY)).isEqualTo(4);
    }

    @Test
    void aBatchWhoseRetriesAreUsedUpIsDeadLetteredWhereNoRecovererTakesBatches() {
        launchBatches(SpringMessages.class);
        batches().fail(3);

        sendAll("k0", "k1", "k2", "k3");
        awaitUntil(() -> app().deadLetters().size() == 4);

        assertThat(batches().calls).hasSize(3);
        assertThat(state("k0")).isEqualTo(RecordState.FAILED);
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isZero();
    }

    @Test
    void aBatchThatARecovererTakesOverIsAcknowledgedAndNotCompleted() {
        launchBatches(Recovering.class);
        batches().fail(3);

        sendAll("k0", "k1", "k2", "k3");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 4);

        assertThat(batches().recovered).hasSize(4);
        assertThat(state("k0")).isEqualTo(RecordState.FAILED);
        assertThat(app().deadLetters()).isEmpty();
    }

    static class Recovering extends Payloads {

        Recovering(Batches batches) {
            super(batches);
        }

        @Bean
        static MessageBatchRecoverer recoverer(ObjectProvider<Batches> batches) {
            return (messages, cause) -> batches.getObject().recovered.addAll(messages);
        }
    }

    @Test
    void aManualListenerIsAcknowledgedOnceAndAfterItsRecords() {
        launchBatches(RawMessages.class, MANUAL, NO_RETRY, REQUEUE);
        batches().fail(1);

        sendAll("k0", "k1", "k2", "k3");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 4);

        assertThat(batches().bodies()).hasSize(8);
        List<String> order = log().withoutDeliveries();
        assertThat(order.indexOf(EventLog.COMPLETE)).isLessThan(order.indexOf(EventLog.ACKNOWLEDGE));
        assertThat(log().count(EventLog.REJECT)).isEqualTo(4);
    }

    @Test
    void messagesThatABatchListenerDoesNotAcknowledgeStayUnsettled() throws IOException {
        launchBatches(Open.class, MANUAL, NO_RETRY, REQUEUE);
        sendAll("k0", "k1", "k2", "k3");
        Open open = app().bean(Open.class);
        awaitUntil(() -> open.tags().size() == 4);
        await().during(Duration.ofMillis(500))
                .atMost(TIME_LIMIT)
                .until(() -> state("k0") == RecordState.PENDING && log().count(EventLog.ACKNOWLEDGE) == 0);

        open.channel().basicAck(open.tags().get(1), false);
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
        assertThat(state("k0")).isEqualTo(RecordState.PENDING);
        open.channel().basicNack(open.tags().get(3), false, true);
        awaitUntil(() -> open.tags().size() == 5);
        open.channel().basicAck(open.tags().get(4), true);

        assertThat(Stream.of("k0", "k1", "k2", "k3").map(this::state)).containsOnly(RecordState.COMPLETED);
        assertThat(batches().bodies()).hasSize(5);
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isEqualTo(4);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    void aListenerThatGivesASingleMessageBackFailsAndNothingIsLost() {
        launchBatches(GivingBack.class, MANUAL, NO_RETRY, REQUEUE);

        sendAll("k0", "k1", "k2", "k3");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 4);

        assertThat(batches().bodies()).hasSize(8);
        assertThat(log().count(EventLog.REJECT)).isEqualTo(4);
        assertThat(log().count(EventLog.HAND_BACK)).isZero();
    }

    @Test
    void aBatchThatRunsDuringAStopIsRecordedAndAcknowledgedBeforeItsEnd() {
        launchBatches(Payloads.class);
        batches().work = () -> awaitUntil(() -> !container().isActive());
        sendAll("k0", "k1", "k2", "k3");
        awaitUntil(() -> batches().calls.size() == 1);

        assertThat(app().stopAndCountUnsettled()).isZero();

        assertThat(Stream.of("k0", "k1", "k2", "k3").map(this::state)).containsOnly(RecordState.COMPLETED);
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isEqualTo(4);
        List<String> order = log().withoutDeliveries();
        assertThat(order.lastIndexOf(EventLog.COMPLETE)).isLessThan(order.indexOf(EventLog.ACKNOWLEDGE));
    }

    private SimpleMessageListenerContainer container() {
        return (SimpleMessageListenerContainer) Objects.requireNonNull(
                app().bean(RabbitListenerEndpointRegistry.class).getListenerContainer("batches"));
    }
}
