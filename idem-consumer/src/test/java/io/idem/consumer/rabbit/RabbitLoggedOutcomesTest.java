package io.idem.consumer.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.contract.ConsumerAdapterContract.HopelessException;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.LoggedLines;
import io.idem.consumer.contract.MovableClock;
import io.idem.servers.junit.LinesNameTheirRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;

/** One line for each outcome that is not ordinary, and loud only where a person has to act. */
@Tag("extended")
@ExtendWith(LinesNameTheirRecord.class)
class RabbitLoggedOutcomesTest extends RabbitScenario {

    /** A first message, so that nothing of the start is logged any more. */
    private void settle(Class<?> listeners, String... settings) {
        launch(listeners, settings);
        send("k0", "zero");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
    }

    @Test
    void aDuplicateIsOneLineAtDebug() {
        settle(AutoListeners.class, NO_RETRY);
        try (LoggedLines lines = new LoggedLines()) {
            send("k0", "zero");
            awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);

            assertThat(lines.loud()).isEmpty();
            assertThat(lines.ofIdem(Level.DEBUG))
                    .filteredOn(line -> line.contains("duplicate"))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "direct"})
    void aDeferralIsALineAtDebug(String type) {
        settle(
                AutoListeners.class,
                NO_RETRY,
                "spring.rabbitmq.listener.type=" + type,
                "idem.consumer.in-place-wait=100ms");
        Lease otherOwner = takeAsOtherOwner("k1");
        try (LoggedLines lines = new LoggedLines()) {
            send("k1", "one");
            awaitUntil(() -> !events(ConsumerEvent.Deferred.class).isEmpty());
            store().fail(otherOwner, Duration.ZERO);
            awaitUntil(() -> state("k1") == RecordState.COMPLETED);

            assertThat(besideTheContainersOwn(lines, type)).isEmpty();
            assertThat(lines.ofIdem(Level.DEBUG)).anyMatch(line -> line.contains("goes back to the broker"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "direct"})
    void aRejectionIsOneWarningWithoutAStackTrace(String type) {
        settle(AutoListeners.class, NO_RETRY, "spring.rabbitmq.listener.type=" + type);
        script().then(call -> {
            throw new HopelessException("no such account");
        });
        try (LoggedLines lines = new LoggedLines()) {
            send("k1", "one");
            awaitUntil(() -> !app().deadLetters().isEmpty());

            assertOneWarning(besideTheContainersOwn(lines, type));
        }
    }

    @Test
    void aMessageWithoutAKeyIsOneWarningWithoutAStackTrace() {
        settle(AutoListeners.class, NO_RETRY);
        try (LoggedLines lines = new LoggedLines()) {
            app().send("one", Map.of());
            awaitUntil(() -> !app().deadLetters().isEmpty());

            assertOneWarning(lines.loud());
        }
    }

    @Test
    void aTakeoverIsOneLineAtInfo() {
        settle(AutoListeners.class, NO_RETRY);
        var unused = takeAsOtherOwner("k1");
        app().bean(MovableClock.class).moveAhead(Duration.ofHours(1));
        try (LoggedLines lines = new LoggedLines()) {
            send("k1", "one");
            awaitUntil(() -> state("k1") == RecordState.COMPLETED);

            assertThat(lines.loud()).hasSize(1).first().asString().contains("INFO", "taken over");
        }
    }

    @Test
    void aDeadLetterThatTheBrokerDoesNotTakeIsAWarning() {
        settle(
                AutoListeners.class,
                NO_RETRY,
                "idem.consumer.rabbit.dead-letter.exchange=${test.name}",
                "idem.consumer.rabbit.dead-letter.routing-key=" + NOWHERE);
        store().reject(takeAsOtherOwner("k1"), "no such account");
        try (LoggedLines lines = new LoggedLines()) {
            send("k1", "one");

            awaitUntil(() -> lines.ofIdem(Level.WARN).stream()
                    .anyMatch(line -> line.startsWith("The dead letter of message")
                            && line.contains("was not taken by the broker")));
        }
    }

    /** A direct container logs whatever a delivery ends with, before any error handler is asked; nobody can keep that from it. */
    private static List<String> besideTheContainersOwn(LoggedLines lines, String type) {
        return lines.loud().stream()
                .filter(line -> !type.equals("direct")
                        || !line.startsWith("ERROR " + DirectMessageListenerContainer.class.getName()
                                + ": Failed to invoke listener"))
                .toList();
    }

    private static void assertOneWarning(List<String> loud) {
        assertThat(loud)
                .hasSize(1)
                .first()
                .asString()
                .contains("WARN", "dead letter")
                .doesNotContain("WITH STACK");
    }
}
