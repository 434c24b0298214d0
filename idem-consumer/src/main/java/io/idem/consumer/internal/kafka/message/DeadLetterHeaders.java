package io.idem.consumer.internal.kafka.message;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Writes the reason of a dead letter into a record's headers. Every recoverer that copies headers takes them along. */
public final class DeadLetterHeaders {

    private DeadLetterHeaders() {}

    public static void write(ConsumerRecord<?, ?> record, DeliveryDecision.DeadLetter decision) {
        put(record, IdempotencyHeaders.REASON, decision.reason());
        put(record, IdempotencyHeaders.ORIGIN, FirstPosition.of(record).topic());
        put(record, IdempotencyHeaders.SCOPE, decision.scope().name());
        put(record, IdempotencyHeaders.ATTEMPTS, String.valueOf(decision.attempts()));
    }

    private static void put(ConsumerRecord<?, ?> record, String name, String value) {
        record.headers().remove(name).add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
