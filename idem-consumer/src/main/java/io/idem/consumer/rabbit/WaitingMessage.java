package io.idem.consumer.rabbit;

import io.idem.consumer.delivery.DeliveryVerdict;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.springframework.amqp.core.Message;

/** A message of a batch that cannot run now. */
record WaitingMessage(Message message, DeliveryVerdict.Defer deferral) {

    private static final Comparator<DeliveryVerdict.Defer> SOONEST = Comparator.comparing(
                    (DeliveryVerdict.Defer deferral) -> deferral.outage().isEmpty())
            .thenComparing(DeliveryVerdict.Defer::retryAfter);

    static List<Message> messages(List<WaitingMessage> waiting) {
        return waiting.stream().map(WaitingMessage::message).toList();
    }

    /** What the pause before the next try goes by: while the store is away, nothing else matters. */
    static DeliveryVerdict.Defer soonest(List<WaitingMessage> waiting) {
        return waiting.stream().map(WaitingMessage::deferral).min(SOONEST).orElseThrow();
    }

    /** The longest of their waits: none of them goes back for being beside one with less patience. */
    static Duration limit(List<WaitingMessage> waiting, BatchParts parts) {
        return waiting.stream()
                .map(one -> parts.patience().inPlace(one.delivered(parts), one.deferral()))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    RabbitDeliveredMessage delivered(BatchParts parts) {
        return new RabbitDeliveredMessage(message, parts.stopping());
    }
}
