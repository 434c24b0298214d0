package io.idem.consumer.kafka.deadletter;

import io.idem.consumer.IdempotencyHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.springframework.kafka.support.KafkaHeaders;

/** A record in a topic of dead letters. */
record KafkaDeadLetter(ConsumerRecord<byte[], byte[]> record) {

    /**
     * Headers of idem and Spring about the dead letter: a record that still had them would count as one that is being
     * retried, and be taken for its first attempt's successor.
     */
    private static final List<String> ABOUT_ITS_DEATH = List.of(
            IdempotencyHeaders.REASON,
            IdempotencyHeaders.ORIGIN,
            IdempotencyHeaders.SCOPE,
            IdempotencyHeaders.ATTEMPTS,
            "kafka_dlt-",
            "kafka_original-",
            "kafka_exception-",
            "retry_topic-",
            "springDeserializerException");

    /** Returns the topic that the record came from, by idem's header or by Spring's; in retry topics the first one. */
    Optional<String> origin() {
        return Stream.of(IdempotencyHeaders.ORIGIN, KafkaHeaders.ORIGINAL_TOPIC, KafkaHeaders.DLT_ORIGINAL_TOPIC)
                .map(record.headers()::lastHeader)
                .filter(header -> header != null && header.value() != null)
                .map(header -> new String(header.value(), StandardCharsets.UTF_8))
                .findFirst();
    }

    /** Returns the original record, for any partition: its key decides, as it did at first. */
    ProducerRecord<byte[], byte[]> message(String topic) {
        return new ProducerRecord<>(topic, null, record.key(), record.value(), original(record.headers()));
    }

    /** Returns a copy of headers without those about the dead letter. */
    static Headers original(Headers all) {
        RecordHeaders headers = new RecordHeaders();
        for (Header header : all) {
            if (ABOUT_ITS_DEATH.stream().noneMatch(header.key()::startsWith)) {
                headers.add(header);
            }
        }
        return headers;
    }
}
