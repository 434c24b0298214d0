package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.BatchListenerTest.startListener;
import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotentListener;
import java.time.Duration;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.annotation.KafkaListener;

/** A listener whose pattern takes in the topics of its own dead letters. */
@Tag("servers")
class OwnDeadLettersTest {

    private static final Duration TIME_LIMIT = Duration.ofMinutes(2);

    static class Patterned {

        @KafkaListener(id = "patterned", idIsGroup = false, topicPattern = "${test.topic}.*")
        @IdempotentListener(scope = SCOPE, rejectOn = IllegalArgumentException.class)
        void on(String body) {
            throw body.equals("rejected") ? new IllegalArgumentException(body) : new IllegalStateException(body);
        }
    }

    @Test
    void aDeadLetterThatItsListenerReadsStaysInItsTopic() {
        try (KafkaTestApplication application = KafkaTestApplication.with(Patterned.class)
                .set("idem.consumer.kafka.dead-letter.topic-suffix", "-dlt")
                .set("spring.kafka.listener.auto-startup", false)
                .start()) {
            String letters = application.topic() + "-dlt";
            PublishedRecords.create(letters);
            PublishedRecords.create(letters + "-dlt");
            application.send("k1", "rejected");
            application.sendAsItIs(new ProducerRecord<>(application.topic(), 0, null, "without a key"));
            application.send("k2", "failing");
            startListener(application, "patterned");

            TopicPartition partition = new TopicPartition(letters, 0);
            await().atMost(TIME_LIMIT).until(() -> application.committed(application.topic(), partition) == 3);
            assertThat(PublishedRecords.count(letters)).isEqualTo(3);
            assertThat(PublishedRecords.count(letters + "-dlt")).isZero();
            assertThat(application.journal().events(ConsumerEvent.DeadLettered.class))
                    .hasSize(4);
        }
    }
}
