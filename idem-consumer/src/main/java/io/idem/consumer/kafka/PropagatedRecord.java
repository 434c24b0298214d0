package io.idem.consumer.kafka;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.PropagatedHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A copy of a record that carries the key on. Never the caller's own: that may be sent again, and its headers are read-only
 * after the first time. A header that is there already stays as it is.
 */
final class PropagatedRecord<K, V> extends ProducerRecord<K, V> {

    private PropagatedRecord(ProducerRecord<K, V> original, Headers headers) {
        super(original.topic(), original.partition(), original.timestamp(), original.key(), original.value(), headers);
    }

    /** Takes the record's place in the order of publications if it has no key of its own: call it once per record. */
    static <K, V> PropagatedRecord<K, V> of(ProducerRecord<K, V> record, IdempotencyContext context) {
        Headers headers = new RecordHeaders(record.headers().toArray());
        PropagatedHeaders propagated = propagated(record, context);
        for (Map.Entry<String, String> header : propagated.asMap().entrySet()) {
            addIfAbsent(headers, header.getKey(), header.getValue());
        }
        addIfAbsent(headers, KafkaMessageHeaders.MESSAGE_ID, propagated.messageId());
        return new PropagatedRecord<>(record, headers);
    }

    private static PropagatedHeaders propagated(ProducerRecord<?, ?> record, IdempotencyContext context) {
        return Stream.of(IdempotencyHeaders.KEY, IdempotencyHeaders.STANDARD_KEY)
                .map(record.headers()::lastHeader)
                .filter(header -> header != null && header.value() != null)
                .findFirst()
                .map(PropagatedRecord::text)
                .map(key -> PropagatedHeaders.of(context, key))
                .orElseGet(() -> PropagatedHeaders.next(context, record.topic()));
    }

    private static String text(Header header) {
        return new String(header.value(), StandardCharsets.UTF_8);
    }

    private static void addIfAbsent(Headers headers, String name, String value) {
        if (headers.lastHeader(name) == null) {
            headers.add(name, value.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** The same with headers that can still be written, to send it once more. */
    PropagatedRecord<K, V> copy() {
        return new PropagatedRecord<>(this, new RecordHeaders(headers().toArray()));
    }
}
