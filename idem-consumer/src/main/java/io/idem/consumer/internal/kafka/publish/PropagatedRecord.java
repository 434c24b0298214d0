package io.idem.consumer.internal.kafka.publish;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.internal.delivery.PropagatedHeaders;
import io.idem.consumer.internal.kafka.message.KafkaMessageHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a record that carries the key on. Never the caller's own record: that may be sent again, and its headers
 * are read-only after the first time. A header that is present already stays as it is.
 */
public final class PropagatedRecord<K, V> extends ProducerRecord<K, V> {

    private PropagatedRecord(ProducerRecord<K, V> original, Headers headers) {
        super(original.topic(), original.partition(), original.timestamp(), original.key(), original.value(), headers);
    }

    /**
     * Returns a copy with the key of a context. Takes the record's position in the order of publications if it has no
     * key of its own: call it once per record.
     */
    public static <K, V> PropagatedRecord<K, V> of(ProducerRecord<K, V> record, IdempotencyContext context) {
        return with(record, PropagatedHeaders.of(context, record.topic(), name -> existing(name, record.headers())));
    }

    /**
     * Returns a copy with the headers of a reply to the record that is being delivered; the same record if it is none,
     * or has a key.
     */
    static <K, V> ProducerRecord<K, V> ofReply(ProducerRecord<K, V> record) {
        return existing(IdempotencyHeaders.KEY, record.headers()) == null
                ? PropagatedHeaders.nextReply()
                        .<ProducerRecord<K, V>>map(headers -> with(record, headers))
                        .orElse(record)
                : record;
    }

    private static <K, V> PropagatedRecord<K, V> with(ProducerRecord<K, V> record, PropagatedHeaders propagated) {
        Headers headers = new RecordHeaders(record.headers().toArray());
        for (Map.Entry<String, String> header : propagated.asMap().entrySet()) {
            addIfAbsent(headers, header.getKey(), header.getValue());
        }
        addIfAbsent(headers, KafkaMessageHeaders.MESSAGE_ID, propagated.messageId());
        return new PropagatedRecord<>(record, headers);
    }

    /**
     * Returns the value of a header in any spelling: consumers find it however it is spelt, so it must not be there
     * twice.
     */
    private static byte @Nullable [] existing(String name, Headers in) {
        byte[] last = null;
        for (Header header : in) {
            if (header.key().equalsIgnoreCase(name) && header.value() != null) {
                last = header.value();
            }
        }
        return last;
    }

    private static void addIfAbsent(Headers headers, String name, String value) {
        if (existing(name, headers) == null) {
            headers.add(name, value.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Returns a copy with headers that can still be written, to send it once more. */
    public PropagatedRecord<K, V> copy() {
        return new PropagatedRecord<>(this, new RecordHeaders(headers().toArray()));
    }
}
