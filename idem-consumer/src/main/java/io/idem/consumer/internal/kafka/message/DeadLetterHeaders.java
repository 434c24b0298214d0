package io.idem.consumer.internal.kafka.message;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Writes the reason of a dead letter into a record's headers. Every recoverer that copies headers takes them along. */
public final class DeadLetterHeaders {

    private DeadLetterHeaders() {}

    /** Writes the headers; a letter that comes back to the scope that has refused it keeps its origin. */
    public static void write(ConsumerRecord<?, ?> record, DeliveryDecision.DeadLetter decision) {
        boolean comesBack = decision.scope().name().equals(read(record, IdempotencyHeaders.SCOPE))
                && record.topic().startsWith(origin(record));
        put(record, IdempotencyHeaders.REASON, decision.reason());
        if (!comesBack) {
            put(record, IdempotencyHeaders.ORIGIN, FirstPosition.of(record).topic());
        }
        put(record, IdempotencyHeaders.SCOPE, decision.scope().name());
        put(record, IdempotencyHeaders.ATTEMPTS, String.valueOf(decision.attempts()));
    }

    /** Returns the topic that the headers of a dead letter name; empty for every other record. */
    public static String origin(ConsumerRecord<?, ?> record) {
        return read(record, IdempotencyHeaders.ORIGIN);
    }

    private static String read(ConsumerRecord<?, ?> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }

    private static void put(ConsumerRecord<?, ?> record, String name, String value) {
        record.headers().remove(name).add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
