package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static io.idem.consumer.kafka.StoppedListeners.ID;
import static io.idem.consumer.kafka.StoppedListeners.SWALLOWED;
import static io.idem.consumer.kafka.StoppedListeners.assertStoppedBecause;
import static io.idem.consumer.kafka.StoppedListeners.await;
import static io.idem.consumer.kafka.StoppedListeners.container;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.RecordState;
import io.idem.StoredResult;
import io.idem.consumer.FingerprintSource;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.MapInbox;
import io.idem.consumer.contract.ObservedTransactions;
import io.idem.consumer.internal.delivery.ListenerStops;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import io.idem.consumer.kafka.StoppedListeners.GivingUp;
import io.idem.consumer.kafka.StoppedListeners.Swallowing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.UUIDDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.kafka.annotation.BackOff;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.listener.BatchInterceptor;
import org.springframework.kafka.listener.DefaultAfterRollbackProcessor;
import org.springframework.kafka.listener.KafkaListenerErrorHandler;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.util.backoff.FixedBackOff;

/** A record that idem cannot decide stops its container; it and what is behind it stay uncommitted. */
@Tag("servers")
class KafkaStopTest {

    private static final String NOT_CALLED = "was not called for a message";

    static class Payments {

        private final Journal journal;

        Payments(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = ID, idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE)
        void pay(String body) {
            journal.write(body);
        }
    }

    static class ManualPayments {

        private final Journal journal;

        ManualPayments(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = ID, idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE)
        void pay(String body, Acknowledgment acknowledgment) {
            journal.write(body);
            acknowledgment.acknowledge();
        }
    }

    /** Three records of one poll, the second of which is kept from its listener. */
    private static void deliverThree(KafkaTestApplication application) {
        application.send("k1", "one");
        application.send("k2", SWALLOWED);
        application.send("k3", "three");
        container(application).start();
    }

    private static void assertNothingLost(KafkaTestApplication application, long firstUndecided) {
        assertThat(application.committed()).isLessThanOrEqualTo(firstUndecided);
        assertThat(application.journal().entries()).noneMatch(entry -> entry.startsWith("recovered"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"record", "batch", "count", "time", "count-time"})
    @Tag("extended")
    void anAspectThatDoesNotCallTheListenerStopsTheContainer(String mode) {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        Payments.class, Swallowing.class, GivingUp.class)
                .set("spring.kafka.listener.ack-mode", mode)
                .set("spring.kafka.listener.ack-count", 2)
                .set("spring.kafka.listener.ack-time", "1ms")
                .set("spring.kafka.listener.auto-startup", false)
                .start()) {
            deliverThree(application);

            assertStoppedBecause(application, "Payments.pay " + NOT_CALLED, "Order it inside idem");
            assertNothingLost(application, 1);
            assertThat(application.journal().entries()).containsExactly("one");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"manual", "manual_immediate"})
    @Tag("extended")
    void aListenerThatAcknowledgesIsStoppedToo(String mode) {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        ManualPayments.class, Swallowing.class, GivingUp.class)
                .set("spring.kafka.listener.ack-mode", mode)
                .set("spring.kafka.listener.auto-startup", false)
                .start()) {
            deliverThree(application);

            assertStoppedBecause(application, "ManualPayments.pay " + NOT_CALLED);
            assertNothingLost(application, 1);
            assertThat(application.journal().entries()).containsExactly("one");
        }
    }

    @Test
    void everyConsumerOfTheContainerStopsAndItsRecordComesAgainWhenItIsStarted() {
        try (KafkaTestApplication application = KafkaTestApplication.with(Payments.class, Swallowing.class)
                .partitions(2)
                .set("spring.kafka.listener.concurrency", 2)
                .start()) {
            application.send(new ProducerRecord<>(application.topic(), 1, null, "other"), "k1");
            await().until(() -> application.committed(application.topic(), 1) == 1);
            application.send("k2", SWALLOWED);
            assertStoppedBecause(application, "Payments.pay");

            container(application).start();

            assertStoppedBecause(application, "Payments.pay");
            assertThat(application.committed()).isEqualTo(-1);
        }
    }

    static class Batches {

        private final Journal journal;

        Batches(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = ID, idIsGroup = false, topics = "${test.topic}", batch = "true")
        @IdempotentListener(scope = SCOPE)
        void pay(List<String> bodies) {
            bodies.forEach(journal::write);
        }
    }

    @Test
    void aBatchOfWhichTheListenerIsNotToldStopsTheContainerBehindItsDuplicates() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        Batches.class, Swallowing.class, GivingUp.class)
                .set("spring.kafka.listener.auto-startup", false)
                .start()) {
            application
                    .store()
                    .complete(application.store().occupy("k1", SCOPE, Duration.ofMinutes(5)), StoredResult.NONE);

            deliverThree(application);

            assertStoppedBecause(application, "Batches.pay " + NOT_CALLED);
            assertNothingLost(application, 1);
            assertThat(application.journal().entries()).isEmpty();
        }
    }

    static class Futures {

        private final Journal journal;

        Futures(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = ID, idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE)
        CompletableFuture<String> pay(String body) {
            journal.write(body);
            return CompletableFuture.completedFuture(body);
        }
    }

    @Test
    void aListenerThatEndsLaterIsStoppedToo() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        Futures.class, Swallowing.class, GivingUp.class)
                .set("spring.kafka.listener.auto-startup", false)
                .start()) {
            deliverThree(application);

            assertStoppedBecause(application, "Futures.pay " + NOT_CALLED);
            assertNothingLost(application, 1);
            assertThat(application.journal().entries()).containsExactly("one");
        }
    }

    static class Forwarding {

        private final Payments payments;

        Forwarding(Payments payments) {
            this.payments = payments;
        }

        @KafkaListener(id = "forwarding", idIsGroup = false, topics = "${test.topic}-forwarded")
        @IdempotentListener(scope = "forwarding")
        CompletableFuture<Void> on(String body) {
            return CompletableFuture.runAsync(() -> payments.pay(body));
        }
    }

    @Test
    void aRefusalThatComesWithTheEndOfAFutureIsNoFailureOfTheRecord() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        Payments.class, Forwarding.class, GivingUp.class)
                .start()) {
            String topic = application.topic() + "-forwarded";

            application.send(new ProducerRecord<>(topic, 0, null, "one"), "k1");

            await().until(() -> !application.bean(ListenerStops.class).reasons().isEmpty());
            assertThat(application.bean(ListenerStops.class).reasons())
                    .singleElement()
                    .asString()
                    .contains("Payments.pay", "outside a delivery");
            assertThat(application.committed(application.topic(), new TopicPartition(topic, 0)))
                    .isEqualTo(-1);
            assertNothingLost(application, 0);
        }
    }

    static class RollingBack {

        @Bean
        static DefaultAfterRollbackProcessor<Object, Object> afterRollback(Journal journal) {
            return new DefaultAfterRollbackProcessor<>(
                    (record, failure) -> journal.write("recovered " + record.value()), new FixedBackOff(0, 0));
        }
    }

    @Test
    void theTransactionOfTheContainerIsRolledBack() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        Payments.class, Swallowing.class, RollingBack.class)
                .set("spring.kafka.producer.transaction-id-prefix", "tx-" + UUID.randomUUID())
                .set("spring.kafka.listener.auto-startup", false)
                .start()) {
            deliverThree(application);

            assertStoppedBecause(application, "Payments.pay " + NOT_CALLED);
            assertNothingLost(application, 1);
            assertThat(application.journal().entries()).containsExactly("one");
        }
    }

    static class Retried {

        private final Journal journal;

        Retried(Journal journal) {
            this.journal = journal;
        }

        @RetryableTopic(attempts = "2", backOff = @BackOff(delay = 50))
        @KafkaListener(id = ID, idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE)
        void pay(String body) {
            journal.write(body);
        }
    }

    @Test
    void nothingGoesToARetryTopic() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(Retried.class, Swallowing.class).start()) {
            application.send("k1", SWALLOWED);

            assertStoppedBecause(application, "Retried.pay " + NOT_CALLED);
            assertNothingLost(application, 0);
            assertThat(PublishedRecords.count(application.topic() + "-retry")).isZero();
            assertThat(PublishedRecords.count(application.topic() + "-dlt")).isZero();
        }
    }

    static class OuterTransaction {

        @Bean
        static EventLog log() {
            return new EventLog();
        }

        @Bean
        static ObservedTransactions transactions(EventLog log) {
            return new ObservedTransactions(log);
        }

        @Bean
        static RecordInterceptor<Object, Object> interceptor(ObservedTransactions transactions) {
            return new Transacting(transactions);
        }
    }

    private static final class Transacting implements RecordInterceptor<Object, Object> {

        private final ObservedTransactions transactions;
        private final List<TransactionStatus> open = new ArrayList<>();

        private Transacting(ObservedTransactions transactions) {
            this.transactions = transactions;
        }

        @Override
        public ConsumerRecord<Object, Object> intercept(
                ConsumerRecord<Object, Object> record, Consumer<Object, Object> consumer) {
            open.add(transactions.getTransaction(TransactionDefinition.withDefaults()));
            return record;
        }

        @Override
        public void afterRecord(ConsumerRecord<Object, Object> record, Consumer<Object, Object> consumer) {
            transactions.rollback(open.remove(0));
        }
    }

    @Test
    void aTransactionAroundTheWorkStopsTheContainerAndIsNoFailure() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        Payments.class, OuterTransaction.class, GivingUp.class)
                .start()) {
            application.send("k1", "one");

            assertStoppedBecause(
                    application, "Payments.pay", "is called inside a transaction", "Put @Transactional on the method");
            assertNothingLost(application, 0);
            assertThat(application.journal().entries()).isEmpty();
            assertThat(application.store().look("k1", SCOPE)).isEmpty();
        }
    }

    static class OuterBatchTransaction extends OuterTransaction {

        @Bean
        static BatchInterceptor<Object, Object> batches(ObservedTransactions transactions) {
            return (records, consumer) -> {
                var unused = transactions.getTransaction(TransactionDefinition.withDefaults());
                return records;
            };
        }
    }

    @Test
    void aTransactionThatOutlivesABatchStopsTheContainerToo() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        Batches.class, OuterBatchTransaction.class, GivingUp.class)
                .start()) {
            application.send("k1", "one");

            assertStoppedBecause(application, "Batches.pay", "is called inside a transaction");
            assertNothingLost(application, 0);
            assertThat(application.journal().entries()).isEmpty();
        }
    }

    static class Consulting {

        private final Journal journal;

        Consulting(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = ID, idIsGroup = false, topics = "${test.topic}", errorHandler = "takingOver")
        @IdempotentListener(scope = SCOPE)
        void pay(Integer amount) {
            journal.write("paid " + amount);
        }

        @Bean
        static KafkaListenerErrorHandler takingOver(Journal journal) {
            return (message, failure) -> {
                journal.write("took over " + message.getPayload());
                return "";
            };
        }
    }

    @Test
    void anErrorHandlerMayTakeOverARecordThatCannotBeConverted() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(Consulting.class).start()) {
            application.send("k1", "not a number");
            application.send("k2", "5");

            await().until(() -> application.committed() == 2);
            assertThat(application.journal().entries()).containsExactly("took over not a number", "paid 5");
            assertThat(application.bean(ListenerStops.class).reasons()).isEmpty();
        }
    }

    static class FailingBatches {

        @KafkaListener(
                id = ID,
                idIsGroup = false,
                topics = "${test.topic}",
                batch = "true",
                errorHandler = "takingOver")
        @IdempotentListener(scope = SCOPE)
        void pay(List<String> bodies) {
            throw new IllegalStateException("card refused");
        }

        @Bean
        static KafkaListenerErrorHandler takingOver() {
            return (message, failure) -> "";
        }
    }

    @Test
    void anErrorHandlerMayTakeOverABatchThatFails() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(FailingBatches.class).start()) {
            application.send("k1", "one");

            await().until(() -> application.committed() == 1);
            assertThat(application.store().look("k1", SCOPE).orElseThrow().state())
                    .isEqualTo(RecordState.FAILED);
            assertThat(application.bean(ListenerStops.class).reasons()).isEmpty();
        }
    }

    static class Filter {

        @Bean
        static RecordFilterStrategy<Object, Object> unwanted() {
            return record -> isUnwanted(record.value());
        }

        private static boolean isUnwanted(@Nullable Object value) {
            return "unwanted".equals(value);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Payments.class, Batches.class, Retried.class})
    @Tag("extended")
    void whatARecordFilterDropsIsNotDeliveredAndCommitted(Class<?> listener) {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(listener, Filter.class).start()) {
            application.send("k1", "unwanted");
            await().until(() -> application.committed() == 1);
            application.send("k1", "one");
            await().until(() -> application.committed() == 2);

            assertThat(application.journal().entries()).containsExactly("one");
            assertThat(application.bean(ListenerStops.class).reasons()).isEmpty();
        }
    }

    /** Cannot follow the application's state any longer. */
    static class FailingObserver {

        @EventListener
        void on(AvailabilityChangeEvent<ReadinessState> event) {
            if (event.getState() == ReadinessState.REFUSING_TRAFFIC) {
                throw new IllegalStateException("no connection to the monitoring");
            }
        }
    }

    @Test
    void theContainerStopsAlthoughAListenerOfTheApplicationsReadinessFails() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        Payments.class, Swallowing.class, GivingUp.class, FailingObserver.class)
                .set("spring.kafka.listener.auto-startup", false)
                .start()) {
            deliverThree(application);

            await().until(() -> !container(application).isRunning());
            assertThat(application.bean(ListenerStops.class).reasons()).hasSize(1);
            assertNothingLost(application, 1);
        }
    }

    static class ByBody {

        private final Journal journal;

        ByBody(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = ID, idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE, fingerprint = FingerprintSource.BODY)
        void pay(UUID order) {
            journal.write(order.toString());
        }
    }

    static class BatchesByBody {

        private final Journal journal;

        BatchesByBody(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = ID, idIsGroup = false, topics = "${test.topic}", batch = "true")
        @IdempotentListener(scope = SCOPE, fingerprint = FingerprintSource.BODY)
        void pay(List<UUID> orders) {
            orders.forEach(order -> journal.write(order.toString()));
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ByBody.class, BatchesByBody.class})
    @Tag("extended")
    void aDeserializedBodyStopsTheContainerOfAListenerThatComparesBodies(Class<?> listener) {
        try (KafkaTestApplication application = KafkaTestApplication.with(listener, GivingUp.class)
                .set("spring.kafka.consumer.value-deserializer", UUIDDeserializer.class.getName())
                .start()) {
            application.send("k1", UUID.randomUUID().toString());
            application.send("k2", UUID.randomUUID().toString());

            assertStoppedBecause(application, listener.getSimpleName() + ".pay", "compares payloads by their body");
            assertNothingLost(application, -1);
            assertThat(application.journal().entries()).isEmpty();
            assertThat(application.store().look("k1", SCOPE)).isEmpty();
        }
    }

    static class SilentWithInbox {

        private final Journal journal;

        SilentWithInbox(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = ID, idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE, inbox = true)
        void pay(String body, Acknowledgment acknowledgment) {
            journal.write(body);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"manual", "manual_immediate"})
    void aListenerWithAnInboxButNoAcknowledgementIsRolledBackAndStopped(String mode) {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        SilentWithInbox.class, InboxPublicationTest.Rows.class, GivingUp.class)
                .set("spring.kafka.listener.ack-mode", mode)
                .start()) {
            application.send("k1", "one");

            assertStoppedBecause(application, "SilentWithInbox.pay", "returned without having acknowledged");
            assertNothingLost(application, -1);
            assertThat(application.journal().entries()).containsExactly("one");
            assertThat(application.bean(MapInbox.class).rows()).isEmpty();
        }
    }
}
