package io.idem.consumer.internal.kafka.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** What a record shows of itself for keys that are in its body. */
class KafkaDeliveryTest {

    private final ConsumerRecord<String, String> record = new ConsumerRecord<>("events", 0, 7, "k", "{\"id\":\"1\"}");
    private final KafkaDelivery delivered = new KafkaDelivery(record, () -> false);

    @Test
    void itsValueIsItsBody() {
        assertThat(delivered.body()).isEqualTo("{\"id\":\"1\"}");
    }

    @Test
    void aRecordOfARetryTopicWithoutItsFirstPositionHasNone() {
        assertThat(delivered.position()).startsWith("events-0@7");
        record.headers().add("retry_topic-attempts", new byte[] {0, 0, 0, 2});

        assertThat(delivered.position()).isNull();
    }

    @Test
    void itsMediaTypeIsInTheHeaderThatCloudEventsUse() {
        assertThat(delivered.contentType()).isNull();
        byte[] structured = "application/cloudevents+json".getBytes(StandardCharsets.UTF_8);
        record.headers().add("content-type", structured);

        assertThat(delivered.contentType()).isEqualTo("application/cloudevents+json");
    }
}
