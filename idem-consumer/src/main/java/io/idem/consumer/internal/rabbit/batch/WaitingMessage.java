package io.idem.consumer.internal.rabbit.batch;

import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.springframework.amqp.core.Message;

/**
 * A message of a batch that cannot be settled now.
 *
 * @param letter the dead letter that no queue has taken yet; empty for a message that cannot run now
 */
record WaitingMessage(
        Delivery delivery, DeliveryDecision.Defer deferral, Optional<DeliveryDecision.DeadLetter> letter) {

    private static final Comparator<DeliveryDecision.Defer> SOONEST = Comparator.comparing(
                    (DeliveryDecision.Defer deferral) -> deferral.outage().isEmpty())
            .thenComparing(DeliveryDecision.Defer::retryAfter);

    /** Makes a message that cannot run now. */
    WaitingMessage(Delivery delivery, DeliveryDecision.Defer deferral) {
        this(delivery, deferral, Optional.empty());
    }

    /**
     * Returns the deferral by which the pause before the next try is chosen: while the store is silent, no other one
     * matters.
     */
    static DeliveryDecision.Defer soonest(List<WaitingMessage> waiting) {
        return waiting.stream().map(WaitingMessage::deferral).min(SOONEST).orElseThrow();
    }

    /** Returns the longest wait of the messages: none goes back because of one beside it that may wait less. */
    static Duration limit(List<WaitingMessage> waiting, BatchParts parts) {
        return waiting.stream()
                .map(one -> parts.limits().limit(one.message()))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    Message message() {
        return (Message) delivery.message().source();
    }
}
