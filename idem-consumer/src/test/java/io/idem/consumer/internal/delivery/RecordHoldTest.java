package io.idem.consumer.internal.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Outcome;
import io.idem.RecordState;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.consumer.internal.kafka.message.KafkaDelivery;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class RecordHoldTest {

    private static final Outcome<String> EXECUTED = new Outcome.Executed<>("done", StoredResult.NONE);
    private static final Outcome.Obstacle UNCONFIRMED = new Outcome.Obstacle.Unconfirmed(new IOException("nack"));
    private static final Outcome.Obstacle SILENT = new Outcome.Obstacle.StoreSilent(new StoreUnavailableException(
            "silent", StoreUnavailableException.Execution.UNKNOWN, new IOException("silent")));
    private static final Outcome.Obstacle LOST = new Outcome.Obstacle.RecordLost(RecordState.ABSENT);

    private final Deque<Outcome<String>> answers = new ArrayDeque<>();
    private final AtomicInteger asked = new AtomicInteger();

    private Outcome.Unrecorded<String> open(Outcome.Obstacle why) {
        return new Outcome.Unrecorded<>("done", why, () -> {
            asked.incrementAndGet();
            return Objects.requireNonNull(answers.poll(), "asked too often");
        });
    }

    private static Outcome<String> hold(Duration limit, Outcome.Unrecorded<String> first) {
        return hold(limit, Duration.ofMinutes(1)).recorded(first);
    }

    private static RecordHold hold(Duration limit, Duration longest) {
        return new RecordHold(delivery(() -> false), limit, longest);
    }

    private static Delivery delivery(BooleanSupplier stopping) {
        return new Delivery(new KafkaDelivery(new ConsumerRecord<>("payments", 0, 0, null, "one"), stopping));
    }

    @Test
    void itAsksUntilTheEffectIsRecorded() {
        answers.addAll(List.of(open(UNCONFIRMED), EXECUTED));

        assertThat(hold(Duration.ofMinutes(1), open(UNCONFIRMED))).isEqualTo(EXECUTED);
        assertThat(asked).hasValue(2);
    }

    @Test
    void itGivesUpAtItsLimit() {
        assertThat(hold(Duration.ZERO, open(SILENT))).isInstanceOf(Outcome.Unrecorded.class);
        assertThat(asked).hasValue(0);
    }

    @Test
    void itHoldsAnEffectWhoseMessageIsRefusedBeyondItsLimit() {
        answers.addAll(List.of(open(UNCONFIRMED), EXECUTED));

        assertThat(hold(Duration.ZERO, open(UNCONFIRMED))).isEqualTo(EXECUTED);
    }

    @Test
    void whereItsThreadMustNotBeHeldAnyLongerAnotherOneGoesOn() {
        answers.addAll(List.of(open(UNCONFIRMED), open(UNCONFIRMED), EXECUTED));

        assertThat(hold(Duration.ZERO, Duration.ZERO).recorded(open(UNCONFIRMED)))
                .isInstanceOf(Outcome.Unrecorded.class);

        await().untilAsserted(() -> assertThat(asked).hasValue(3));
        assertThat(answers).isEmpty();
    }

    @Test
    void itGivesUpWhenTheContainerStops() {
        Duration minute = Duration.ofMinutes(1);

        assertThat(new RecordHold(delivery(() -> true), minute, minute).recorded(open(UNCONFIRMED)))
                .isInstanceOf(Outcome.Unrecorded.class);
        assertThat(asked).hasValue(0);
    }

    @Test
    void aLostRecordIsRestoredOnceWhateverTheLimit() {
        answers.add(EXECUTED);

        assertThat(hold(Duration.ZERO, open(LOST))).isEqualTo(EXECUTED);
    }

    @Test
    void aDurableEffectIsAcknowledgedWhenItsRecordCannotBeRestored() {
        answers.add(open(LOST));

        assertThat(hold(Duration.ofMinutes(1), open(LOST))).isInstanceOf(Outcome.Superseded.class);
        assertThat(asked).hasValue(1);
    }
}
