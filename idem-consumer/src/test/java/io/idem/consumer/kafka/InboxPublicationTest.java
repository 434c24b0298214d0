package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.support.SendResult;

/** Messages of work inside an inbox transaction leave after the commit, exactly as they were handed over. */
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
            assertThat(application.bean(OpenBox.class).publishedBeforeCommit()).containsExactly(0L);
            assertThat(application.journal().entries()).containsExactly("one", "offset -1");
        }
    }

    @Test
    void whatWasKeptByACommittedAttemptIsPublishedWhenItsRowIsFound() {
        try (KafkaTestApplication application = start()) {
            application.send("k1", "one");
            await().until(() -> published.values().size() == 1);
            application.bean(OpenBox.class).copyOnlyRowTo("k2");
            application.send("k2", "two");
            await().until(() -> published.values().size() == 2);

            assertThat(published.values()).containsExactly("settled one", "settled one");
            assertThat(published.keys().get(1)).isEqualTo(published.keys().get(0));
            assertThat(application.journal().entries()).doesNotContain("two");
        }
    }

    private KafkaTestApplication start() {
        return KafkaTestApplication.with(OpenBox.class, Settling.class)
                .set("test.out", published.topic())
                .set("spring.kafka.producer.client-id", "application")
                .start();
    }

    /** An inbox without a database. */
    static class OpenBox implements Inbox {

        final Map<RecordId, Effect> rows = new ConcurrentHashMap<>();
        final List<Long> publishedBeforeCommit = new CopyOnWriteArrayList<>();

        List<Long> publishedBeforeCommit() {
            return publishedBeforeCommit;
        }

        /** As if the same message came under another key: the store knows nothing, the row is there. */
        void copyOnlyRowTo(String key) {
            RecordId known = rows.keySet().iterator().next();
            rows.put(new RecordId(IdempotencyKey.of(key), known.scope()), Objects.requireNonNull(rows.get(known)));
        }

        @Override
        public InboxOutcome run(Lease lease, InboxWork work) throws Exception {
            @Nullable Effect found = rows.get(lease.record());
            if (found != null) {
                return new InboxOutcome.Found(found);
            }
            Optional<Effect> effect = work.run();
            if (effect.isEmpty()) {
                return new InboxOutcome.RolledBack();
            }
            publishedBeforeCommit.add(
                    PublishedRecords.count(effect.get().outgoing().get(0).destination()));
            rows.put(lease.record(), effect.get());
            return new InboxOutcome.Committed(effect.get());
        }

        @Override
        public long fenceFloor(RecordId record) {
            return 0;
        }

        @Override
        public boolean decidesAlone() {
            return false;
        }

        @Override
        public Optional<Effect> find(RecordId record) {
            return Optional.ofNullable(rows.get(record));
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
}
