package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.RecordState;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ObservedTransactions;
import io.idem.consumer.kafka.BatchListenerTest.Handler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A batch listener that names the record that failed: what came before it is done only if its transaction was committed. */
@Tag("extended")
class BatchRollbackTest {

    @Test
    void recordsRolledBackWithAFailedOneRunOnceMoreWithoutIt() {
        try (KafkaTestApplication application = start(OneTransaction.class, 1)) {
            send(application, 0, "one", "two", "bad", "three");
            BatchListenerTest.startListener(application, "batch");
            await().until(() -> application.committed() == 4);

            Table table = application.bean(Table.class);
            assertThat(table.rows()).containsExactly("one", "two", "three");
            assertThat(table.calls())
                    .startsWith(List.of("one", "two", "bad", "three"), List.of("one", "two"), List.of("bad", "three"));
            assertThat(application.bean(Handler.class).recovered()).containsExactly("bad");
            assertThat(List.of("one", "two", "three"))
                    .allMatch(key -> state(application, key) == RecordState.COMPLETED);
            assertThat(state(application, "bad")).isEqualTo(RecordState.FAILED);
        }
    }

    @Test
    void theSameHoldsForRecordsOfOtherPartitions() {
        try (KafkaTestApplication application = start(OneTransaction.class, 2)) {
            send(application, 0, "one", "bad in the first partition");
            send(application, 1, "two", "bad in the second partition", "three");
            BatchListenerTest.startListener(application, "batch");
            await().until(() -> application.committed() == 2 && application.committed(application.topic(), 1) == 3);

            assertThat(application.bean(Table.class).rows()).containsExactlyInAnyOrder("one", "two", "three");
            assertThat(application.bean(Handler.class).recovered())
                    .containsExactlyInAnyOrder("bad in the first partition", "bad in the second partition");
        }
    }

    @Test
    void whatWasCommittedBeforeTheRecordThatFailedDoesNotRunAgain() {
        try (KafkaTestApplication application = start(TransactionForEach.class, 1)) {
            send(application, 0, "one", "two", "bad", "three");
            BatchListenerTest.startListener(application, "batch");
            await().until(() -> application.committed() == 4);

            assertThat(application.bean(Table.class).rows()).containsExactly("one", "two", "three");
            assertThat(application.bean(Handler.class).recovered()).containsExactly("bad");
        }
    }

    @ParameterizedTest
    @MethodSource("insideOfOneTransaction")
    void whatWasCommittedInsideOfATransactionThatIsRolledBackIsNotTakenForDone(
            Class<?> transactions, Propagation inside) {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        OneInsideOfTheOther.class, Handler.class, transactions)
                .set("test.inside", inside)
                .start()) {
            send(application, 0, "one", "two", "bad", "three");
            BatchListenerTest.startListener(application, "batch");
            await().until(() -> application.committed() == 4);

            assertThat(application.bean(Table.class).rows()).containsExactly("one", "two", "three");
            assertThat(application.bean(Handler.class).recovered()).containsExactly("bad");
        }
    }

    private static Stream<Arguments> insideOfOneTransaction() {
        return Stream.of(
                Arguments.of(Transactions.class, Propagation.REQUIRES_NEW),
                Arguments.of(Savepoints.class, Propagation.NESTED));
    }

    private static KafkaTestApplication start(Class<?> listener, int partitions) {
        return KafkaTestApplication.with(listener, Handler.class, Transactions.class)
                .partitions(partitions)
                .start();
    }

    private static void send(KafkaTestApplication application, int partition, String... bodies) {
        for (String body : bodies) {
            application.send(new ProducerRecord<>(application.topic(), partition, null, body), body);
        }
    }

    private static RecordState state(KafkaTestApplication application, String key) {
        return application.store().look(key, SCOPE).orElseThrow().state();
    }

    static class Transactions {

        @Bean
        ObservedTransactions transactionManager() {
            return new ObservedTransactions(new EventLog());
        }

        @Bean
        Table table() {
            return new Table();
        }
    }

    static class Savepoints {

        @Bean
        SavepointTransactions transactionManager() {
            return new SavepointTransactions();
        }

        @Bean
        Table table() {
            return new Table();
        }
    }

    /** Has a row only when the transaction that wrote it was committed. */
    static class Table {

        private final List<String> rows = new CopyOnWriteArrayList<>();
        private final List<List<String>> calls = new CopyOnWriteArrayList<>();

        List<String> rows() {
            return rows;
        }

        List<List<String>> calls() {
            return calls;
        }

        void called(List<String> bodies) {
            calls.add(List.copyOf(bodies));
        }

        void write(String body) {
            if (body.startsWith("bad")) {
                throw new IllegalStateException("refused by the table");
            }
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    rows.add(body);
                }
            });
        }
    }

    static class OneTransaction {

        private final Table table;

        OneTransaction(Table table) {
            this.table = table;
        }

        @KafkaListener(id = "batch", idIsGroup = false, topics = "${test.topic}", batch = "true", autoStartup = "false")
        @IdempotentListener(scope = SCOPE)
        @Transactional
        void on(List<String> bodies) {
            table.called(bodies);
            for (int i = 0; i < bodies.size(); i++) {
                try {
                    table.write(bodies.get(i));
                } catch (IllegalStateException refused) {
                    throw new BatchListenerFailedException("refused", refused, i);
                }
            }
        }
    }

    static class TransactionForEach {

        private final Table table;
        private final TransactionTemplate each;

        TransactionForEach(Table table, ObservedTransactions transactions) {
            this.table = table;
            this.each = new TransactionTemplate(transactions);
        }

        @KafkaListener(id = "batch", idIsGroup = false, topics = "${test.topic}", batch = "true", autoStartup = "false")
        @IdempotentListener(scope = SCOPE)
        void on(List<String> bodies) {
            List<String> batch = new ArrayList<>(bodies);
            for (int i = 0; i < batch.size(); i++) {
                String body = batch.get(i);
                try {
                    each.executeWithoutResult(status -> table.write(body));
                } catch (IllegalStateException refused) {
                    throw new BatchListenerFailedException("refused", refused, i);
                }
            }
        }
    }

    /** Writes in one transaction, and commits another one inside of it for every record. */
    static class OneInsideOfTheOther {

        private final Table table;
        private final TransactionTemplate inside;

        OneInsideOfTheOther(
                Table table, PlatformTransactionManager transactions, @Value("${test.inside}") Propagation inside) {
            this.table = table;
            this.inside = new TransactionTemplate(transactions);
            this.inside.setPropagationBehavior(inside.value());
        }

        @KafkaListener(id = "batch", idIsGroup = false, topics = "${test.topic}", batch = "true", autoStartup = "false")
        @IdempotentListener(scope = SCOPE)
        @Transactional
        void on(List<String> bodies) {
            for (int i = 0; i < bodies.size(); i++) {
                try {
                    table.write(bodies.get(i));
                    inside.executeWithoutResult(status -> {});
                } catch (IllegalStateException refused) {
                    throw new BatchListenerFailedException("refused", refused, i);
                }
            }
        }
    }
}
