package io.idem.e2e;

import static io.idem.workshop.process.Money.freshKey;
import static io.idem.workshop.process.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.child.ModesWorkerMain;
import io.idem.workshop.child.Point;
import io.idem.workshop.outside.RawRecord;
import io.idem.workshop.process.Application;
import io.idem.workshop.process.Effects;
import io.idem.workshop.process.Messages;
import io.idem.workshop.process.World;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A worker is killed with SIGKILL in the listener modes that do not settle each message on the thread of its delivery.
 * No inbox is possible in these modes: no message is lost, and only work that is not recorded runs again.
 */
@Tag("extended")
class ListenerModesCrashTest {

    private static final World WORLD = World.shared();
    private static final String NAME = "e2e.modes-" + UUID.randomUUID();

    private static Application worker = start();

    /** A listener, with the name of its scope and the source of its messages. */
    enum Mode {
        RABBIT_BATCHES,
        RABBIT_LATE,
        KAFKA_BATCHES,
        KAFKA_LATE,
        KAFKA_TRANSACTED;

        String scope() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        String destination() {
            return NAME + "." + scope();
        }

        boolean onKafka() {
            return name().startsWith("KAFKA");
        }

        void publish(List<String> keys) {
            if (onKafka()) {
                Messages.publishTogether(WORLD, destination(), keys);
            } else {
                keys.forEach(key ->
                        WORLD.queues().publish("", destination(), Messages.headers("north", key), "message of " + key));
            }
        }

        /** Waits until no earlier message is left, by a marker: brokers redeliver in order. */
        void awaitAcknowledged() {
            String marker = freshKey("marker");
            publish(List.of(marker));
            Effects.of(WORLD, marker).awaitCompleted(scope());
            waitUntil("all messages of " + scope() + " are acknowledged").until(() -> unsettled() == 0);
        }

        long unsettled() {
            return onKafka()
                    ? WORLD.topics().lag(destination(), destination())
                    : WORLD.queues().depth(destination());
        }
    }

    private static Application start() {
        Map<String, String> settings = new LinkedHashMap<>(WORLD.settings());
        settings.put("e2e.name", NAME);
        settings.put("spring.kafka.consumer.auto-offset-reset", "earliest");
        return Application.start("modes", ModesWorkerMain.class, settings);
    }

    @BeforeAll
    static void prepare() {
        WORLD.ledger().execute("CREATE TABLE mode_rows (tenant text, idempotency_key text)");
        worker.awaitUp();
    }

    @AfterAll
    static void remove() {
        worker.close();
        WORLD.queues().delete(Mode.RABBIT_BATCHES.destination());
        WORLD.queues().delete(Mode.RABBIT_LATE.destination());
    }

    private static void catchAt(Point point, Mode mode, String key, List<String> published) {
        worker.set(point, mode.scope(), key);
        mode.publish(published);
        waitUntil("it is caught").until(worker::caught);
    }

    private static void killAndReplace() {
        worker.process().kill9();
        replace();
    }

    private static void replace() {
        worker = start();
        worker.awaitUp();
    }

    private static List<Integer> rows(List<String> keys) {
        return keys.stream()
                .map(key -> Effects.of(WORLD, key).rows("mode_rows"))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"RABBIT_BATCHES", "KAFKA_BATCHES"})
    void ofABatchThatIsKilledWhileItIsRecordedOnlyTheRestRunsAgain(Mode mode) {
        List<String> keys =
                Stream.of("first", "second", "third").map(key -> freshKey(key)).toList();
        catchAt(Point.COMPLETED, mode, keys.get(1), keys);
        assertThat(rows(keys)).as("committed together").containsExactly(1, 1, 1);

        worker.process().kill9();
        // The order in which the messages of a batch are recorded is unspecified.
        List<Integer> expected =
                keys.stream().map(key -> isRecorded(mode, key) ? 1 : 2).toList();
        replace();

        keys.forEach(key -> Effects.of(WORLD, key).awaitCompleted(mode.scope()));
        mode.awaitAcknowledged();
        assertThat(expected.get(1)).isEqualTo(1);
        assertThat(rows(keys)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(names = {"RABBIT_BATCHES", "KAFKA_BATCHES"})
    void ofABatchThatIsKilledWhileItIsAcquiredEverythingComesAgainAndRunsOnce(Mode mode) {
        List<String> keys =
                Stream.of("fourth", "fifth", "sixth").map(key -> freshKey(key)).toList();
        catchAt(Point.GRANTED, mode, keys.get(1), keys);
        assertThat(rows(keys)).containsOnly(0);

        killAndReplace();

        keys.forEach(key -> Effects.of(WORLD, key).awaitCompleted(mode.scope()));
        mode.awaitAcknowledged();
        assertThat(rows(keys)).containsExactly(1, 1, 1);
    }

    private static boolean isRecorded(Mode mode, String key) {
        return Effects.of(WORLD, key).record(mode.scope()).state().equals("COMPLETED");
    }

    @ParameterizedTest
    @EnumSource(names = {"RABBIT_LATE", "KAFKA_LATE"})
    void anAsyncListenerKilledBeforeAcknowledgeIsAnsweredFromTheRecord(Mode mode) {
        String key = freshKey("recorded");
        catchAt(Point.COMPLETED, mode, key, List.of(key));
        RawRecord completed = Effects.of(WORLD, key).record(mode.scope());
        assertThat(completed.state()).isEqualTo("COMPLETED");

        killAndReplace();

        mode.awaitAcknowledged();
        assertThat(Effects.of(WORLD, key).record(mode.scope())).isEqualTo(completed);
        assertThat(rows(List.of(key))).containsExactly(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"RABBIT_LATE", "KAFKA_LATE"})
    void anAsyncListenerKilledBeforeItsWorkIsRecordedIsTakenOver(Mode mode) {
        String key = freshKey("unrecorded");
        catchAt(Point.CONFIRMED, mode, key, List.of(key));
        assertThat(rows(List.of(key))).containsExactly(1);

        killAndReplace();

        assertThat(Effects.of(WORLD, key).awaitCompleted(mode.scope()).attempts())
                .isEqualTo(2);
        mode.awaitAcknowledged();
        assertThat(rows(List.of(key)))
                .as("Redis alone cannot know of the first")
                .containsExactly(2);
    }

    @Test
    void aContainersTransactionThatIsKilledBeforeItsWorkComesAgain() {
        String key = freshKey("open");
        catchAt(Point.GRANTED, Mode.KAFKA_TRANSACTED, key, List.of(key));
        assertThat(Mode.KAFKA_TRANSACTED.unsettled()).isPositive();

        killAndReplace();

        assertThat(Effects.of(WORLD, key)
                        .awaitCompleted(Mode.KAFKA_TRANSACTED.scope())
                        .attempts())
                .isEqualTo(2);
        Mode.KAFKA_TRANSACTED.awaitAcknowledged();
        assertThat(rows(List.of(key))).containsExactly(1);
    }

    @Test
    void afterItsCommitATransactionIsNotRepeatedButACopyOfItsRecordRuns() {
        Mode mode = Mode.KAFKA_TRANSACTED;
        String key = freshKey("committed");
        catchAt(Point.CONFIRMED, mode, key, List.of(key));
        waitUntil("the offset is committed, which the transaction was about").until(() -> mode.unsettled() == 0);

        killAndReplace();

        mode.awaitAcknowledged();
        assertThat(Effects.of(WORLD, key).record(mode.scope()).state()).isEqualTo("PENDING");
        assertThat(rows(List.of(key))).containsExactly(1);

        mode.publish(List.of(key));

        assertThat(Effects.of(WORLD, key).awaitCompleted(mode.scope()).attempts())
                .isEqualTo(2);
        assertThat(rows(List.of(key))).containsExactly(2);
    }
}
