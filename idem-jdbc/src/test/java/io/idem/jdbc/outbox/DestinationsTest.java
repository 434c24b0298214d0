package io.idem.jdbc.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

import io.idem.OutgoingMessage;
import io.idem.OwnerToken;
import io.idem.internal.OutgoingTransports;
import io.idem.spi.OutgoingTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationsTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofMillis(500);

    private final RelayRows table = new RelayRows("", mock(DataSource.class));
    private final RecordingTransport rabbit = new RecordingTransport("rabbit");
    private final RecordingTransport kafka = new RecordingTransport("kafka");
    private final FaultyTransport broker = new FaultyTransport("broker");

    @AfterEach
    void close() {
        broker.close();
    }

    private RelayedRow row(long number, OutgoingMessage... messages) {
        return new RelayedRow(table, "k" + number, "s", OwnerToken.ofBytes(new byte[OwnerToken.SIZE]), List.of(messages));
    }

    private static OutgoingMessage over(String transport) {
        return new OutgoingMessage(transport, "there", new byte[] {1});
    }

    private static OutgoingMessage to(String destination) {
        return new OutgoingMessage("broker", destination, new byte[] {1});
    }

    private static Destinations destinations(Duration patience, OutgoingTransport... transports) {
        return new Destinations(new OutgoingTransports(() -> List.of(transports)), SOON, patience);
    }

    private static List<Long> sent(Destinations destinations, List<RelayedRow> rows) {
        return destinations.send(rows).stream()
                .filter(row -> row.failure() == null)
                .map(row -> Long.valueOf(row.row().keyId().substring(1)))
                .toList();
    }

    @Test
    void aRowIsSentWhenAllItsMessagesAreConfirmed() {
        kafka.goAway();

        assertThat(sent(
                        destinations(LONG, rabbit, kafka),
                        List.of(row(1, over("rabbit")), row(2, over("rabbit"), over("kafka")))))
                .containsExactly(1L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                FaultyTransport.HANGING,
                FaultyTransport.SLOW,
                FaultyTransport.REFUSING,
                FaultyTransport.SILENT,
                FaultyTransport.CLOSING
            })
    @Tag("extended")
    void aBadDestinationHoldsUpNoRowBehindItsOwn(String bad) {
        List<RelayedRow> rows = new ArrayList<>();
        IntStream.range(0, 3).forEach(n -> rows.add(row(n, to(bad))));
        IntStream.range(3, 6).forEach(n -> rows.add(row(n, to("good"), to(bad))));
        IntStream.range(10, 30).forEach(n -> rows.add(row(n, to("good"))));
        rows.add(row(30, over("rabbit")));

        Destinations destinations = destinations(Duration.ofSeconds(5), broker, rabbit);
        List<Long> sent = new ArrayList<>(sent(destinations, rows));
        rows.removeIf(row -> sent.contains(Long.parseLong(row.keyId().substring(1))));
        sent.addAll(sent(destinations, rows));

        assertThat(sent)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(10, 30).boxed().toList());
    }

    @Test
    void twentyBadDestinationsHoldUpNoGoodOne() {
        List<RelayedRow> rows = new ArrayList<>();
        IntStream.range(0, 20).forEach(n -> rows.add(row(n, to(FaultyTransport.HANGING + n))));
        rows.add(row(100, over("rabbit")));

        assertThat(sent(destinations(LONG, broker, rabbit), rows)).containsExactly(100L);
    }

    @Test
    void aDestinationWithoutAnAnswerIsLeftAloneForAWhile() {
        Destinations destinations = destinations(SHORT, broker);
        List<RelayedRow> rows = List.of(row(1, to(FaultyTransport.SILENT)), row(2, to("good")));

        assertThat(sent(destinations, rows)).containsExactly(2L);
        assertThat(sent(destinations, rows)).containsExactly(2L);

        assertThat(broker.tries(FaultyTransport.SILENT)).isEqualTo(1);
    }

    @Test
    void aDestinationThatRefusesAMessageThatIsSentByItselfIsLeftAlone() {
        List<RelayedRow> rows = IntStream.range(0, 20)
                .mapToObj(n -> row(n, to(FaultyTransport.CLOSING)))
                .toList();

        Destinations destinations = destinations(LONG, broker);
        for (int pass = 0; pass < 3; pass++) {
            assertThat(sent(destinations, rows)).isEmpty();
        }

        assertThat(broker.tries(FaultyTransport.CLOSING))
                .as("all together at most, and one of them again")
                .isLessThanOrEqualTo(21);
    }

    @Test
    void rowsOfADestinationThatIsLeftAloneAreNotTried() {
        Destinations destinations = destinations(SHORT, broker);
        assertThat(destinations.send(List.of(row(1, to(FaultyTransport.SILENT)))))
                .hasSize(1);

        assertThat(destinations.send(List.of(row(2, to(FaultyTransport.SILENT)))))
                .isEmpty();
    }

    @Test
    void aMessageThatIsTooLargeHoldsUpNoOtherToItsDestination() {
        OutgoingTransport strict = new OutgoingTransport() {
            @Override
            public String name() {
                return "broker";
            }

            @Override
            public CompletableFuture<?> publish(OutgoingMessage message) {
                return message.content().length > 1
                        ? CompletableFuture.failedFuture(new IllegalArgumentException("too large"))
                        : CompletableFuture.completedFuture(message);
            }
        };
        OutgoingMessage large = new OutgoingMessage("broker", "there", new byte[] {1, 2});
        List<RelayedRow> rows = new ArrayList<>(List.of(row(1, large)));
        rows.addAll(Collections.nCopies(5, row(2, to("there"))));

        // A hand-over that takes half of the limit would leave the destination alone.
        Destinations patient = new Destinations(new OutgoingTransports(() -> List.of(strict)), LONG, LONG);

        assertThat(sent(patient, rows)).hasSize(5).containsOnly(2L);
    }

    @Test
    void aDestinationThatConfirmsAgainIsOneLikeTheOthers() {
        Destinations destinations = destinations(LONG, rabbit);
        rabbit.goAway();
        assertThat(sent(destinations, List.of(row(1, over("rabbit"))))).isEmpty();
        assertThat(destinations.doubts(row(1, over("rabbit")))).isTrue();

        rabbit.comeBack();
        assertThat(sent(destinations, List.of(row(1, over("rabbit"))))).containsExactly(1L);
        assertThat(destinations.doubts(row(1, over("rabbit")))).isFalse();
    }

    @Test
    void aConfirmationThatDoesNotComeIsNotWaitedForForEver() {
        assertThat(sent(
                        destinations(Duration.ofMillis(1), broker, rabbit),
                        List.of(row(2, over("rabbit")), row(1, to(FaultyTransport.SILENT)))))
                .doesNotContain(1L);
    }

    @Test
    void aConfirmationThatTakesAMomentIsWaitedForSoThatItsRowIsNotSentAgain() {
        OutgoingTransport late =
                silent(new CompletableFuture<>().completeOnTimeout("confirmed", 100, TimeUnit.MILLISECONDS));

        assertThat(sent(destinations(LONG, late), List.of(row(1, over("silent")))))
                .containsExactly(1L);
    }

    @Test
    void whoIsInterruptedTakesNothingForConfirmedAndStaysInterrupted() {
        Thread.currentThread().interrupt();

        assertThat(sent(destinations(LONG, silent(new CompletableFuture<>())), List.of(row(1, over("silent")))))
                .isEmpty();

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aRowThatThisVersionCannotReadIsNotTakenForSent() {
        assertThat(destinations(LONG, rabbit).send(List.of(row(1))))
                .singleElement()
                .satisfies(row -> assertThat(row.failure()).hasMessageContaining("later version"));
    }

    @Test
    void aMessageWithoutATransportIsNotTakenForSent() {
        assertThat(sent(destinations(LONG, rabbit), List.of(row(1, over("kafka")))))
                .isEmpty();
    }

    @Test
    void aHandOverThatComesBackLateLetsItsDestinationTakeMessagesAgain() {
        Destinations destinations = destinations(SOON, broker);
        RelayedRow hanging = row(1, to(FaultyTransport.HANGING));
        assertThat(sent(destinations, List.of(hanging))).isEmpty();
        assertThat(destinations.leavesAlone(hanging)).isTrue();

        broker.close();

        await().atMost(LONG).until(() -> !destinations.leavesAlone(hanging));
    }

    private static OutgoingTransport silent(CompletableFuture<?> confirmation) {
        return new OutgoingTransport() {
            @Override
            public String name() {
                return "silent";
            }

            @Override
            public CompletableFuture<?> publish(OutgoingMessage message) {
                return confirmation;
            }
        };
    }
}
