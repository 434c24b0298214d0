package io.idem.jdbc.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.OutgoingMessage;
import io.idem.internal.OutgoingTransports;
import io.idem.spi.OutgoingTransport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RelayPassTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final RecordingTransport rabbit = new RecordingTransport("rabbit");
    private final RecordingTransport kafka = new RecordingTransport("kafka");

    private static RelayedRow row(long fence, String... transports) {
        return new RelayedRow(
                "k" + fence,
                "s",
                fence,
                List.of(transports).stream()
                        .map(transport -> new OutgoingMessage(transport, "there", new byte[] {1}))
                        .toList());
    }

    private RelayPass pass(Duration patience, Duration slow, OutgoingTransport... transports) {
        return new RelayPass(new OutgoingTransports(() -> List.of(transports)), patience, slow);
    }

    @Test
    void aRowIsSentWhenAllItsMessagesAreConfirmed() {
        kafka.goAway();
        RelayedRow one = row(1, "rabbit");
        RelayedRow both = row(2, "rabbit", "kafka");

        assertThat(pass(LONG, LONG, rabbit, kafka).send(List.of(one, both))).containsExactly(one);
    }

    @Test
    void aTransportThatIsSlowToTakeAMessageIsNotAskedAgainAndTheOthersAre() {
        List<RelayedRow> sent = pass(LONG, Duration.ofNanos(-1), rabbit, kafka)
                .send(List.of(row(1, "kafka"), row(2, "kafka"), row(3, "rabbit")));

        assertThat(sent).extracting(RelayedRow::fence).containsExactly(1L, 3L);
        assertThat(kafka.received()).hasSize(1);
    }

    @Test
    void aConfirmationThatDoesNotComeIsNotWaitedForForEver() {
        OutgoingTransport silent = silent(new CompletableFuture<>());

        assertThat(pass(Duration.ofMillis(1), LONG, silent, rabbit).send(List.of(row(1, "silent"), row(2, "rabbit"))))
                .extracting(RelayedRow::fence)
                .containsExactly(2L);
    }

    @Test
    void aConfirmationThatTakesAMomentIsWaitedForSoThatItsRowIsNotSentAgain() {
        OutgoingTransport late =
                silent(new CompletableFuture<>().completeOnTimeout("confirmed", 100, TimeUnit.MILLISECONDS));

        assertThat(pass(LONG, LONG, late).send(List.of(row(1, "silent"))))
                .extracting(RelayedRow::fence)
                .containsExactly(1L);
    }

    @Test
    void whoIsInterruptedTakesNothingForConfirmedAndStaysInterrupted() {
        Thread.currentThread().interrupt();

        List<RelayedRow> sent =
                pass(LONG, LONG, silent(new CompletableFuture<>())).send(List.of(row(1, "silent")));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(sent).isEmpty();
    }

    @Test
    void aMessageWithoutATransportIsNotTakenForSent() {
        assertThat(pass(LONG, LONG, rabbit).send(List.of(row(1, "kafka")))).isEmpty();
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
