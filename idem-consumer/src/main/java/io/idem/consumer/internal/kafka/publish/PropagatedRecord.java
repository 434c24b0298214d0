package io.idem.consumer.internal.kafka.publish;

import io.idem.IdempotencyContext;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.Outgoing;
import io.idem.consumer.internal.delivery.PropagatedHeaders;
import io.idem.consumer.internal.delivery.Received;
import io.idem.consumer.internal.kafka.message.JsonHeaders;
import io.idem.consumer.internal.kafka.message.KafkaDelivery;
import io.idem.consumer.internal.kafka.message.KafkaMessageHeaders;
import io.idem.consumer.internal.key.CloudEventKey;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

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
        PropagatedRecord<K, V> written = with(record, PropagatedHeaders.of(context, outgoing(record)));
        Received.mark(context, outgoing(written))
                .ifPresent(mark -> written.headers()
                        .remove(IdempotencyHeaders.DERIVED)
                        .add(IdempotencyHeaders.DERIVED, mark.getBytes(StandardCharsets.UTF_8)));
        return written;
    }

    /** Returns a record on its way to its topic. */
    public static Outgoing outgoing(ProducerRecord<?, ?> record) {
        ConsumerRecord<?, ?> arriving = new ConsumerRecord<>(record.topic(), 0, 0, record.key(), record.value());
        record.headers().forEach(arriving.headers()::add);
        KafkaDelivery message = new KafkaDelivery(arriving, () -> false);
        return new Outgoing(
                record.topic(),
                message,
                received ->
                        received instanceof KafkaDelivery && received.origin().equals(record.topic()),
                received -> Objects.deepEquals(received.body(), message.body()) && hasKeyOf(record, received));
    }

    /** Returns whether a record has the record key of another one, which says whom an equal value is about, or none. */
    private static boolean hasKeyOf(ProducerRecord<?, ?> record, DeliveredMessage received) {
        return record.key() == null
                || !(received.source() instanceof ConsumerRecord<?, ?> original)
                || Objects.deepEquals(original.key(), record.key());
    }

    /**
     * Returns a copy with the headers of a reply to the record that is being delivered; the same record if it is none,
     * or has a key of its own.
     *
     * @param withKey whether a reply without a key gets one
     */
    static <K, V> ProducerRecord<K, V> ofReply(ProducerRecord<K, V> record, boolean withKey) {
        if (CurrentDelivery.get().isEmpty()) {
            return record;
        }
        DeliveredMessage reply = outgoing(record).message();
        boolean keyed = PropagatedHeaders.last(reply, IdempotencyHeaders.KEY) != null;
        return PropagatedHeaders.insteadOf(reply)
                .or(() -> withKey && !keyed ? PropagatedHeaders.nextReply() : Optional.empty())
                .<ProducerRecord<K, V>>map(headers -> with(record, headers))
                .orElse(record);
    }

    private static <K, V> PropagatedRecord<K, V> with(ProducerRecord<K, V> record, PropagatedHeaders propagated) {
        DeliveredMessage before = outgoing(record).message();
        Map<String, String> all = new LinkedHashMap<>(propagated.asMap());
        all.put(KafkaMessageHeaders.MESSAGE_ID, propagated.messageId());
        Set<String> replaced = new HashSet<>();
        for (Header header : record.headers()) {
            String name = header.key();
            if (propagated.replaceEventId(before) && CloudEventKey.isId(name)) {
                all.put(name, propagated.messageId());
                replaced.add(name);
            } else if (name.equalsIgnoreCase(KafkaMessageHeaders.MESSAGE_ID)
                    ? propagated.replaceId(JsonHeaders.value(header, record.headers()))
                    : propagated.replaced() != null && PropagatedHeaders.isKey(name)) {
                replaced.add(name);
            }
        }
        PropagatedRecord<K, V> copy = new PropagatedRecord<>(record, JsonHeaders.without(replaced, record.headers()));
        DeliveredMessage present = outgoing(copy).message();
        all.forEach((name, value) -> {
            // Consumers find a header however it is spelt, so it must not be there twice.
            if (PropagatedHeaders.last(present, name) == null) {
                copy.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
            }
        });
        return copy;
    }

    /** Returns a copy with headers that can still be written, to send it once more. */
    public PropagatedRecord<K, V> copy() {
        return new PropagatedRecord<>(this, new RecordHeaders(headers().toArray()));
    }
}
