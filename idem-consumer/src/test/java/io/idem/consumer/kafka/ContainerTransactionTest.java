package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.StoreUnavailableException;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ObservedTransactions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.DefaultAfterRollbackProcessor;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.backoff.FixedBackOff;

/** Containers that deliver inside transactions of Kafka. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("servers")
class ContainerTransactionTest {

    private final String prefix = "tx-" + UUID.randomUUID() + "-";

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofMinutes(2));
    }

    private KafkaTestApplication start() {
        return KafkaTestApplication.with(Transacted.class, Recovered.class)
                .set("spring.kafka.producer.transaction-id-prefix", prefix)
                .start();
    }

    private static RecordState state(KafkaTestApplication application, String key) {
        return application.store().look(key, SCOPE).orElseThrow().state();
    }

    @Test
    void workIsCompletedAfterTheCommitAndItsDuplicateCommitsItsOffset() {
        try (KafkaTestApplication application = start()) {
            List<String> events = new CopyOnWriteArrayList<>();
            application.store().beforeComplete(() -> events.add("complete"));
            application.bean(KafkaTransactionManager.class).addListener(new TransactionExecutionListener() {
                @Override
                public void beforeCommit(TransactionExecution transaction) {
                    events.add("commit");
                }
            });

            application.send("k1", "one");
            application.send("k1", "again");

            await().until(() -> application.committed() == 2);
            assertThat(events).containsExactly("commit", "complete", "commit");
            assertThat(application.journal().entries()).containsExactly("one");
            assertThat(state(application, "k1")).isEqualTo(RecordState.COMPLETED);
        }
    }

    @Test
    @Tag("extended")
    void aRollbackGivesTheKeyBackAlsoIfADatabaseHasCommittedBefore() {
        try (KafkaTestApplication application = start()) {
            EventLog log = new EventLog();
            TransactionTemplate database = new TransactionTemplate(new ObservedTransactions(log));
            List<Integer> attempts = new CopyOnWriteArrayList<>();
            application.store().beforeComplete(() -> log.note(EventLog.COMPLETE));
            application.bean(Transacted.class).does(record -> {
                database.executeWithoutResult(status -> log.note(EventLog.WORK));
                attempts.add(IdempotencyContext.current().orElseThrow().attempt());
                if (attempts.size() == 1) {
                    throw new IllegalStateException("after the database's commit");
                }
            });

            application.send("k1", "one");

            await().until(() -> application.committed() == 1 && state(application, "k1") == RecordState.COMPLETED);
            assertThat(attempts).containsExactly(1, 2);
            assertThat(log.all())
                    .containsExactly(EventLog.WORK, EventLog.COMMIT, EventLog.WORK, EventLog.COMMIT, EventLog.COMPLETE);
        }
    }

    @Test
    @Tag("extended")
    void aRecordInProgressIsRolledBackWithoutLimitAndInItsOrder() {
        try (KafkaTestApplication application = start()) {
            Lease otherOwner = application.store().occupy("k1", SCOPE, Duration.ofMinutes(5));
            application.send("k1", "one");
            application.send("k2", "two");
            await().until(() ->
                    application.journal().events(ConsumerEvent.Deferred.class).size() >= 5);
            application.store().fail(otherOwner, Duration.ZERO);

            await().until(() -> application.committed() == 2);
            assertThat(application.journal().entries()).containsExactly("one", "two");
            assertThat(application.bean(Recovered.class).bodies()).isEmpty();
        }
    }

    @Test
    @Tag("extended")
    void workThatTheStoreDoesNotAnswerIsNoFailureOfItsRecord() {
        try (KafkaTestApplication application = start()) {
            List<Integer> attempts = new CopyOnWriteArrayList<>();
            application.bean(Transacted.class).does(record -> {
                attempts.add(IdempotencyContext.current().orElseThrow().attempt());
                if (attempts.size() <= 3) {
                    throw new StoreUnavailableException(
                            "silent", StoreUnavailableException.Execution.UNKNOWN, new IOException("cut"));
                }
            });

            application.send("k1", "one");

            await().until(() -> application.committed() == 1 && state(application, "k1") == RecordState.COMPLETED);
            assertThat(attempts).containsExactly(1, 1, 1, 1);
            assertThat(application.bean(Recovered.class).bodies()).isEmpty();
        }
    }

    @Test
    void workOfAFencedProducerIsNotCompleted(CapturedOutput output) {
        try (KafkaTestApplication application = start()) {
            application.bean(Transacted.class).does(record -> fence());

            application.send("k1", "one");

            await().until(() -> output.getAll().contains("fenced during transaction"));
            assertThat(state(application, "k1")).isEqualTo(RecordState.FAILED);
            assertThat(application.committed()).isEqualTo(-1);
        }
    }

    private void fence() {
        try (KafkaProducer<String, String> other = new KafkaProducer<>(
                Map.of("bootstrap.servers", KafkaTestApplication.bootstrapServers(), "transactional.id", prefix + "0"),
                new StringSerializer(),
                new StringSerializer())) {
            other.initTransactions();
        }
    }

    @Test
    void aSilentStoreAfterTheCommitFailsNothing() {
        try (KafkaTestApplication application = start()) {
            application.store().failCompletions(2);

            application.send("k1", "one");

            await().until(() -> application.committed() == 1 && state(application, "k1") == RecordState.COMPLETED);
            assertThat(application.journal().entries()).containsExactly("one");
        }
    }

    /** The application's own: one retry, then it takes note. */
    static class Recovered {

        private final List<String> bodies = new CopyOnWriteArrayList<>();

        List<String> bodies() {
            return bodies;
        }

        @Bean
        DefaultAfterRollbackProcessor<Object, Object> afterRollback() {
            return new DefaultAfterRollbackProcessor<>(
                    (record, failure) -> bodies.add(String.valueOf(record.value())), new FixedBackOff(10, 1));
        }
    }

    /** In the transactions of its container. */
    static class Transacted {

        private final KafkaTestApplication.Journal journal;
        private volatile Consumer<ConsumerRecord<String, String>> work = record -> {};

        Transacted(KafkaTestApplication.Journal journal) {
            this.journal = journal;
        }

        void does(Consumer<ConsumerRecord<String, String>> what) {
            work = what;
        }

        @KafkaListener(id = "transacted", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE, rejectOn = IllegalArgumentException.class)
        void on(ConsumerRecord<String, String> record) {
            journal.write(record.value());
            work.accept(record);
        }
    }
}
