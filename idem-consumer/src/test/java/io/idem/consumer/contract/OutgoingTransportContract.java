package io.idem.consumer.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.IdempotencyKey;
import io.idem.OutgoingMessage;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.spi.OutgoingTransport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rules that every {@link OutgoingTransport} obeys. Extend it and answer a broker with its transport. */
public abstract class OutgoingTransportContract {

    private static final int THREADS = 8;
    private static final Map<String, String> HEADERS =
            Map.copyOf(IdempotencyHeaders.of(IdempotencyKey.of("k-1"), "origin-1"));

    private TransportHarness harness;

    /** A harness for one test; closed after it. */
    protected abstract TransportHarness open();

    /** How long the answer to a message may take. */
    protected Duration patience() {
        return Duration.ofMinutes(3);
    }

    @BeforeEach
    void start() {
        harness = open();
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    @Test
    void messagesAreKeptUnderTheNameOfTheirTransport() {
        assertThat(harness.message("one", HEADERS).transport())
                .isEqualTo(harness.transport().name())
                .isEqualTo(harness.unreachable().name());
    }

    @Test
    void aConfirmedMessageIsAtTheBrokerWithTheHeadersItWasKeptWith() throws Exception {
        publish(harness.message("one", HEADERS));

        assertThat(harness.arrived()).singleElement().satisfies(arrived -> {
            assertThat(arrived.body()).isEqualTo("one");
            assertThat(arrived.headers()).containsAllEntriesOf(HEADERS);
        });
    }

    @Test
    void aMessageThatIsPublishedAgainArrivesAgainUnchanged() throws Exception {
        OutgoingMessage message = harness.message("one", HEADERS);
        publish(message);
        ReceivedMessage first = harness.arrived().get(0);

        publish(message);

        assertThat(harness.arrived()).singleElement().satisfies(second -> {
            assertThat(second.body()).isEqualTo(first.body());
            assertThat(second.headers()).containsAllEntriesOf(HEADERS);
        });
    }

    @Test
    void aRefusedMessageFailsItsOwnStageAlone() throws Exception {
        CompletableFuture<?> refused = handOver(harness.transport(), harness.refused());
        publish(harness.message("one", HEADERS));

        assertFails(refused);
        assertThat(harness.arrived()).extracting(ReceivedMessage::body).containsExactly("one");
    }

    @Test
    void anUnreadableMessageFailsItsStageAndIsNotThrown() {
        OutgoingTransport transport = harness.transport();

        assertFails(handOver(transport, new OutgoingMessage(transport.name(), "somewhere", new byte[] {127})));
        assertFails(handOver(transport, new OutgoingMessage(transport.name(), "somewhere", new byte[0])));
    }

    @Test
    void anUnreachableBrokerFailsTheStageInTime() {
        assertFails(handOver(harness.unreachable(), harness.message("one", HEADERS)));
    }

    @Test
    void messagesOfSeveralThreadsArriveOnceEach() throws Exception {
        List<String> bodies =
                IntStream.range(0, 20 * THREADS).mapToObj(n -> "body-" + n).toList();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            CompletableFuture.allOf(bodies.stream()
                            .map(body -> harness.message(body, HEADERS))
                            .map(message -> CompletableFuture.runAsync(() -> assertConfirmed(message), threads))
                            .toArray(CompletableFuture<?>[]::new))
                    .get(2, TimeUnit.MINUTES);
        } finally {
            threads.shutdownNow();
        }

        assertThat(harness.arrived()).extracting(ReceivedMessage::body).containsExactlyInAnyOrderElementsOf(bodies);
    }

    private static CompletableFuture<?> handOver(OutgoingTransport transport, OutgoingMessage message) {
        return transport.publish(message).toCompletableFuture();
    }

    private void publish(OutgoingMessage message) throws Exception {
        var unused = await(handOver(harness.transport(), message));
    }

    private void assertConfirmed(OutgoingMessage message) {
        assertThat(handOver(harness.transport(), message)).succeedsWithin(patience());
    }

    private <T> T await(CompletableFuture<T> answer) throws Exception {
        return answer.get(patience().toMillis(), TimeUnit.MILLISECONDS);
    }

    private void assertFails(CompletableFuture<?> answer) {
        assertThatThrownBy(() -> {
                    var unused = await(answer);
                })
                .isInstanceOf(ExecutionException.class);
    }
}
