package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.RecordId;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.MapInbox;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.SendResult;

/** Messages of work inside an inbox transaction leave after the commit, exactly as they were handed over. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("extended")
class InboxPublicationTest {

    private final PublishedRecords published = new PublishedRecords();

    @AfterEach
    void close() {
        published.close();
    }

    @Test
    void recordsLeaveAfterTheCommitWithKeyValueHeadersAndPartition() {
        try (KafkaTestApplication application = start()) {
            application.send("k1", "one");
            await().until(() -> published.values().equals(List.of("settled one")));

            ConsumerRecord<String, String> record = published.all().get(0);
            assertThat(record.key()).isEqualTo("account");
            assertThat(record.timestamp()).isEqualTo(1_700_000_000_000L);
            assertThat(record.headers().lastHeader("own").value()).isEqualTo(new byte[] {0, (byte) 0xff});
            assertThat(published.keys().get(0)).isNotNull();
            assertThat(application.bean(Rows.class).publishedBeforeCommit()).containsExactly(0L);
            assertThat(application.journal().entries()).containsExactly("one", "offset -1");
        }
    }

    @Test
    void whatWasKeptByACommittedAttemptIsPublishedWhenItsRowIsFound() {
        try (KafkaTestApplication application = start()) {
            application.send("k1", "one");
            await().until(() -> published.values().size() == 1);
            copyOnlyRow(application.bean(MapInbox.class).rows(), "k2");
            application.send("k2", "two");
            await().until(() -> published.values().size() == 2);

            assertThat(published.values()).containsExactly("settled one", "settled one");
            assertThat(published.keys().get(1)).isEqualTo(published.keys().get(0));
            assertThat(application.journal().entries()).doesNotContain("two");
        }
    }

    @Test
    void aTemplateThatCannotKeepARecordIsNamedOnce(CapturedOutput output) {
        try (KafkaTestApplication application = KafkaTestApplication.with(Rows.class, OwnTemplate.class)
                .set("test.out", published.topic())
                .start()) {
            application.send("k1", "one");
            application.send("k2", "two");
            await().until(() -> published.values().size() == 2);

            assertThat(output.getOut().split("sent a record to topic " + published.topic() + " from its inbox", -1))
                    .as("one warning")
                    .hasSize(2);
        }
    }

    private KafkaTestApplication start() {
        return KafkaTestApplication.with(Rows.class, Settling.class)
                .set("test.out", published.topic())
                .set("spring.kafka.producer.client-id", "application")
                .start();
    }

    /** As if the same message came under another key: the store knows nothing, the row is there. */
    private static void copyOnlyRow(Map<RecordId, Inbox.Effect> rows, String key) {
        Map.Entry<RecordId, Inbox.Effect> known = rows.entrySet().iterator().next();
        rows.put(new RecordId(IdempotencyKey.of(key), known.getKey().scope()), known.getValue());
    }

    /** An inbox that notes, before each commit, how many records its destination has. */
    static class Rows {

        private final List<Long> publishedBeforeCommit = new CopyOnWriteArrayList<>();

        List<Long> publishedBeforeCommit() {
            return publishedBeforeCommit;
        }

        @Bean
        MapInbox inbox() {
            return MapInbox.observedBy(effect -> effect.ifPresent(this::note));
        }

        private void note(Inbox.Effect effect) {
            publishedBeforeCommit.add(
                    PublishedRecords.count(effect.outgoing().get(0).destination()));
        }
    }

    /** Publishes inside its transaction, and waits for the future as code does that knows nothing of inboxes. */
    static class Settling {

        private final Journal journal;
        private final KafkaTemplate<String, String> template;
        private final String out;

        Settling(Journal journal, KafkaTemplate<String, String> template, @Value("${test.out}") String out) {
            this.journal = journal;
            this.template = template;
            this.out = out;
        }

        @KafkaListener(topics = "${test.topic}")
        @IdempotentListener(scope = "settling", inbox = true)
        void on(String body) throws ExecutionException, InterruptedException {
            journal.write(body);
            ProducerRecord<String, String> record =
                    new ProducerRecord<>(out, 0, 1_700_000_000_000L, "account", "settled " + body);
            record.headers().add("own", new byte[] {0, (byte) 0xff});
            SendResult<String, String> sent = template.send(record).get();
            journal.write("offset " + sent.getRecordMetadata().offset());
        }
    }

    /** Publishes with a template of its own. */
    static class OwnTemplate {

        private final KafkaTemplate<String, String> template;
        private final String out;

        OwnTemplate(ProducerFactory<String, String> producers, @Value("${test.out}") String out) {
            this.template = new KafkaTemplate<>(producers);
            this.out = out;
        }

        @KafkaListener(topics = "${test.topic}")
        @IdempotentListener(scope = "own", inbox = true)
        void on(String body) {
            var unused = template.send(out, body);
        }
    }
}
