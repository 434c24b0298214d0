package io.idem.consumer.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.OutgoingMessage;
import io.idem.spi.OutgoingTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The contract of transports fails for transports that are broken. */
class BrokenTransportsTest {

    private static final CompletableFuture<?> AWAY = CompletableFuture.failedFuture(new IllegalStateException("away"));

    @Test
    void aSoundTransportPasses() {
        assertThat(ContractFailures.of(Sound.class)).isEmpty();
    }

    @Test
    void aConfirmBeforeTheMessageArrivesIsCaught() {
        assertThat(ContractFailures.of(ConfirmsTooEarly.class))
                .contains("aConfirmedMessageIsAtTheBrokerWithTheHeadersItWasKeptWith()");
    }

    @Test
    void aRefusalThatIsIgnoredIsCaught() {
        assertThat(ContractFailures.of(IgnoresRefusals.class))
                .containsExactly("aRefusedMessageFailsItsOwnStageAlone()");
    }

    @Test
    void aTransportWithoutHeadersIsCaught() {
        assertThat(ContractFailures.of(DropsHeaders.class))
                .containsExactlyInAnyOrder(
                        "aConfirmedMessageIsAtTheBrokerWithTheHeadersItWasKeptWith()",
                        "aMessageThatIsPublishedAgainArrivesAgainUnchanged()");
    }

    @Test
    void aTransportThatThrowsIsCaught() {
        assertThat(ContractFailures.of(Throws.class))
                .containsExactly("anUnreadableMessageFailsItsStageAndIsNotThrown()");
    }

    @Test
    void aTransportThatMixesThreadsUpIsCaught() {
        assertThat(ContractFailures.of(SharesAField.class)).containsExactly("messagesOfSeveralThreadsArriveOnceEach()");
    }

    @Test
    void aTransportThatWaitsForEverIsCaught() {
        assertThat(ContractFailures.of(WaitsForEver.class)).containsExactly("anUnreachableBrokerFailsTheStageInTime()");
    }

    static final class Sound extends InMemory {
        Sound() {
            super(BrokenTransports.Sound::new, AWAY);
        }
    }

    static final class ConfirmsTooEarly extends InMemory {
        ConfirmsTooEarly() {
            super(BrokenTransports.ConfirmsTooEarly::new, AWAY);
        }
    }

    static final class IgnoresRefusals extends InMemory {
        IgnoresRefusals() {
            super(BrokenTransports.IgnoresRefusals::new, AWAY);
        }
    }

    static final class DropsHeaders extends InMemory {
        DropsHeaders() {
            super(BrokenTransports.DropsHeaders::new, AWAY);
        }
    }

    static final class Throws extends InMemory {
        Throws() {
            super(BrokenTransports.Throws::new, AWAY);
        }
    }

    static final class SharesAField extends InMemory {
        SharesAField() {
            super(BrokenTransports.SharesAField::new, AWAY);
        }
    }

    static final class WaitsForEver extends InMemory {
        WaitsForEver() {
            super(BrokenTransports.Sound::new, new CompletableFuture<>());
        }
    }

    private abstract static class InMemory extends OutgoingTransportContract {

        private final Function<List<ReceivedMessage>, OutgoingTransport> transport;
        private final CompletableFuture<?> unreachable;

        InMemory(Function<List<ReceivedMessage>, OutgoingTransport> transport, CompletableFuture<?> unreachable) {
            this.transport = transport;
            this.unreachable = unreachable;
        }

        @Override
        protected Duration patience() {
            return Duration.ofSeconds(2);
        }

        @Override
        protected TransportHarness open() {
            List<ReceivedMessage> broker = new ArrayList<>();
            return new Harness(broker, transport.apply(broker), new BrokenTransports.Unreachable(unreachable));
        }
    }

    private record Harness(List<ReceivedMessage> broker, OutgoingTransport transport, OutgoingTransport unreachable)
            implements TransportHarness {

        @Override
        public OutgoingMessage message(String body, Map<String, String> headers) {
            return BrokenTransports.message(body, headers);
        }

        @Override
        public OutgoingMessage refused() {
            return BrokenTransports.refused();
        }

        @Override
        public List<ReceivedMessage> arrived() {
            List<ReceivedMessage> arrived = List.copyOf(broker);
            broker.clear();
            return arrived;
        }

        @Override
        public void close() {}
    }
}
