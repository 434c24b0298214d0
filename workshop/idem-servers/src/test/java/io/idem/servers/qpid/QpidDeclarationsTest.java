package io.idem.servers.qpid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class QpidDeclarationsTest {

    @Test
    void aDeadLetterExchangeBecomesTheAlternateBinding() {
        assertThat(QpidDeclarations.queueArguments(Map.of("x-dead-letter-exchange", "dead")))
                .isEqualTo(Map.of("maximumDeliveryAttempts", 1, "alternateBinding", Map.of("destination", "dead")));
    }

    @Test
    void aDeadLetterQueueIsNamedThroughTheDefaultExchange() {
        Map<String, Object> arguments = QpidDeclarations.queueArguments(
                Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "payments.dead"));

        assertThat(arguments)
                .isEqualTo(Map.of(
                        "maximumDeliveryAttempts", 1, "alternateBinding", Map.of("destination", "payments.dead")));
    }

    @Test
    void aRoutingKeyThatQpidWouldNotHonourIsRefused() {
        assertThatThrownBy(() -> QpidDeclarations.queueArguments(
                        Map.of("x-dead-letter-exchange", "dead", "x-dead-letter-routing-key", "payments")))
                .hasMessageContaining("x-dead-letter-routing-key")
                .hasMessageContaining("fanout");
        assertThatThrownBy(() -> QpidDeclarations.queueArguments(Map.of("x-dead-letter-routing-key", "payments")))
                .hasMessageContaining("needs x-dead-letter-exchange");
    }

    @Test
    void everyQueueLetsGoOfWhatWasRejectedForGood() {
        assertThat(QpidDeclarations.queueArguments(Map.of())).isEqualTo(Map.of("maximumDeliveryAttempts", 1));
    }

    @Test
    void lengthLimitsDropTheOldestUnlessTheyReject() {
        assertThat(QpidDeclarations.queueArguments(Map.of("x-max-length", 10)))
                .containsEntry("maximumQueueDepthMessages", 10)
                .containsEntry("overflowPolicy", "RING");
        assertThat(QpidDeclarations.queueArguments(Map.of("x-max-length-bytes", 9L, "x-overflow", "reject-publish")))
                .containsEntry("maximumQueueDepthBytes", 9L)
                .containsEntry("overflowPolicy", "REJECT");
        assertThatThrownBy(() -> QpidDeclarations.queueArguments(Map.of("x-overflow", "panic")))
                .hasMessageContaining("x-overflow")
                .hasMessageContaining("panic");
    }

    @Test
    void expiredMessagesFollowTheDeadLetterExchangeOrGo() {
        assertThat(QpidDeclarations.queueArguments(Map.of("x-message-ttl", 50)))
                .containsEntry("maximumMessageTtl", 50)
                .containsEntry("expiryPolicy", "DELETE");
        assertThat(QpidDeclarations.queueArguments(Map.of("x-message-ttl", 50, "x-dead-letter-exchange", "dead")))
                .containsEntry("expiryPolicy", "ROUTE_TO_ALTERNATE");
    }

    @Test
    void whatQpidLacksIsLeftOutAndWhatItSharesPasses() {
        assertThat(QpidDeclarations.queueArguments(Map.of(
                        "x-queue-type",
                        "quorum",
                        "x-delivery-limit",
                        5,
                        "x-single-active-consumer",
                        true,
                        "x-max-priority",
                        4)))
                .isEqualTo(
                        Map.of("maximumDeliveryAttempts", 1, "x-single-active-consumer", true, "x-qpid-priorities", 5));
        assertThatThrownBy(() -> QpidDeclarations.queueArguments(Map.of("x-queue-type", "stream")))
                .hasMessageContaining("stream");
    }

    @Test
    void anAlternateExchangeIsSpeltQpidsWay() {
        assertThat(QpidDeclarations.exchangeArguments(Map.of("alternate-exchange", "unrouted", "other", 1)))
                .isEqualTo(Map.of("alternateExchange", "unrouted", "other", 1));
    }
}
