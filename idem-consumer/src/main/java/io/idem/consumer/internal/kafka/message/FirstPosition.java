package io.idem.consumer.internal.kafka.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.retrytopic.RetryTopicHeaders;
import org.springframework.kafka.support.KafkaHeaders;

/**
 * Position at which a record was written first: its own, or that in the main topic if it came here through retry
 * topics.
 *
 * @param timestamp in ms; tells a topic from one of the same name that was deleted before
 */
public record FirstPosition(String topic, int partition, long offset, long timestamp) {

    public static FirstPosition of(ConsumerRecord<?, ?> record) {
        FirstPosition here = new FirstPosition(record.topic(), record.partition(), record.offset(), record.timestamp());
        return last(record, RetryTopicHeaders.DEFAULT_HEADER_ATTEMPTS) == null ? here : here.or(record);
    }

    /** Returns the position; empty if the recoverer of retry topics left it out, so that it is another at each attempt. */
    static Optional<FirstPosition> known(ConsumerRecord<?, ?> record) {
        FirstPosition first = of(record);
        boolean retried = last(record, RetryTopicHeaders.DEFAULT_HEADER_ATTEMPTS) != null;
        return retried && first.offset() == record.offset() && first.topic().equals(record.topic())
                ? Optional.empty()
                : Optional.of(first);
    }

    private FirstPosition or(ConsumerRecord<?, ?> record) {
        byte[] first = last(record, KafkaHeaders.ORIGINAL_TOPIC);
        ByteBuffer part = number(record, KafkaHeaders.ORIGINAL_PARTITION, Integer.BYTES);
        ByteBuffer at = number(record, KafkaHeaders.ORIGINAL_OFFSET, Long.BYTES);
        ByteBuffer time = number(record, KafkaHeaders.ORIGINAL_TIMESTAMP, Long.BYTES);
        return first == null || part == null || at == null || time == null
                ? this
                : new FirstPosition(
                        new String(first, StandardCharsets.UTF_8), part.getInt(), at.getLong(), time.getLong());
    }

    private static @Nullable ByteBuffer number(ConsumerRecord<?, ?> record, String name, int size) {
        byte[] value = last(record, name);
        return value == null || value.length != size ? null : ByteBuffer.wrap(value);
    }

    private static byte @Nullable [] last(ConsumerRecord<?, ?> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : header.value();
    }

    @Override
    public String toString() {
        return topic + "-" + partition + "@" + offset + "/" + timestamp;
    }
}
