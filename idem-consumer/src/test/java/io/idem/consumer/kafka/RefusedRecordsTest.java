package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyContext;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;

/** A topic that does not take what idempotent work publishes, for longer than a consumer's thread can be held. */
@Tag("servers")
class RefusedRecordsTest {

    private static final Duration TIME_LIMIT = Duration.ofMinutes(2);

    @Test
    void theEffectIsNotRepeatedAndTheRecordsLeaveWhenTheTopicTakesThem() throws Exception {
        try (PublishedRecords published = new PublishedRecords();
                KafkaTestApplication application = KafkaTestApplication.with(Publishing.class)
                        .set("test.out", published.topic())
                        .set("idem.lease", "1s")
                        .set("spring.kafka.consumer.properties.max.poll.interval.ms", 10_000)
                        .start()) {
            takes(published.topic(), 1);
            await().atMost(TIME_LIMIT).until(() -> refuses(application, published.topic()));

            application.send("k1", "one");

            await().atMost(TIME_LIMIT).until(() -> deferrals(application) >= 40);
            assertThat(application.journal().entries()).containsExactlyInAnyOrder("single one", "batch one");
            takes(published.topic(), 1_000_000);
            for (String group : List.of("single", "batch")) {
                await().atMost(TIME_LIMIT).until(() -> application.committed(group, 0) == 1);
                assertThat(application.store().look("k1", group).orElseThrow().state())
                        .isEqualTo(RecordState.COMPLETED);
            }
            assertThat(application.journal().entries()).hasSize(2);
            await().atMost(TIME_LIMIT).until(() -> published.values().containsAll(List.of("by single", "by batch")));
        }
    }

    private static int deferrals(KafkaTestApplication application) {
        return application.journal().events(ConsumerEvent.Deferred.class).size();
    }

    /** Sets the size of the largest batch that a topic takes. */
    private static void takes(String topic, int bytes) throws ExecutionException, InterruptedException {
        ConfigEntry limit = new ConfigEntry("max.message.bytes", String.valueOf(bytes));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", KafkaTestApplication.bootstrapServers()))) {
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, topic),
                            List.of(new AlterConfigOp(limit, AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        }
    }

    private static boolean refuses(KafkaTestApplication application, String topic) {
        try {
            application.sendAsItIs(new ProducerRecord<>(topic, "too large"));
            return false;
        } catch (CompletionException refused) {
            return refused.getCause() instanceof Exception failed
                    && (failed instanceof RecordTooLargeException
                            || failed.getCause() instanceof RecordTooLargeException);
        }
    }

    /** One listener of single records and one of batches, in groups of their own. */
    static class Publishing {

        private final Journal journal;
        private final KafkaTemplate<String, String> template;
        private final String out;

        Publishing(Journal journal, KafkaTemplate<String, String> template, @Value("${test.out}") String out) {
            this.journal = journal;
            this.template = template;
            this.out = out;
        }

        @KafkaListener(id = "single", topics = "${test.topic}")
        @IdempotentListener(scope = "single")
        void single(String body) {
            journal.write("single " + body);
            var unused = template.send(out, "by single");
        }

        @KafkaListener(id = "batch", topics = "${test.topic}", batch = "true")
        @IdempotentListener(scope = "batch")
        void batch(List<String> bodies, List<IdempotencyContext> contexts) throws Exception {
            for (int i = 0; i < bodies.size(); i++) {
                journal.write("batch " + bodies.get(i));
                var unused = contexts.get(i).call(() -> template.send(out, "by batch"));
            }
        }
    }
}
