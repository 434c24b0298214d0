package io.idem.consumer.kafka;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.Resettable;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.messaging.Message;

/** Batch listeners that write what they get into the journal, and do what the test of the moment tells them. */
final class BatchListenersOfTests {

    private BatchListenersOfTests() {}

    /** Every parameter shape, each in a group and scope of its own. */
    static class Shapes implements Resettable {

        private final Journal journal;

        Shapes(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "payloads", topics = "${test.topic}", batch = "true", autoStartup = "false")
        @IdempotentListener(scope = "payloads")
        void payloads(List<String> bodies, @Nullable List<IdempotencyContext> contexts) {
            for (int i = 0; i < bodies.size(); i++) {
                journal.write("payloads:" + bodies.get(i) + contextOf(contexts, i));
            }
        }

        private static String contextOf(@Nullable List<IdempotencyContext> contexts, int place) {
            return contexts == null ? "?" : "/" + contexts.get(place).key().value();
        }

        @KafkaListener(id = "messages", topics = "${test.topic}", batch = "true", autoStartup = "false")
        @IdempotentListener(scope = "messages")
        void messages(List<Message<String>> messages) {
            messages.forEach(message -> journal.write("messages:" + message.getPayload()));
        }

        @KafkaListener(id = "records", topics = "${test.topic}", batch = "true", autoStartup = "false")
        @IdempotentListener(scope = "records")
        void records(List<ConsumerRecord<String, String>> records, Consumer<?, ?> consumer) {
            records.forEach(record -> journal.write("records:" + record.value()));
        }

        @KafkaListener(id = "polled", topics = "${test.topic}", batch = "true", autoStartup = "false")
        @IdempotentListener(scope = "polled")
        void polled(ConsumerRecords<String, String> records) {
            records.forEach(record -> journal.write("polled:" + record.value()));
        }
    }

    /** For modes in which the container acknowledges. */
    static class Plain implements Resettable {

        private final Journal journal;
        private volatile java.util.function.Consumer<List<String>> work = bodies -> {};

        Plain(Journal journal) {
            this.journal = journal;
        }

        @Override
        public void reset() {
            does(bodies -> {});
        }

        void does(java.util.function.Consumer<List<String>> what) {
            work = what;
        }

        @KafkaListener(
                id = "plain",
                idIsGroup = false,
                topics = "${test.topic}",
                batch = "true",
                autoStartup = "false",
                filter = "${test.filter:}")
        @IdempotentListener(
                scope = KafkaTestApplication.SCOPE,
                rejectOn = UnsupportedOperationException.class,
                maxAttempts = "5")
        void on(List<String> bodies) {
            List<String> batch = new ArrayList<>(bodies);
            batch.forEach(journal::write);
            work.accept(batch);
        }
    }

    /** Its key is the beginning of another one, which may be too short for that. */
    static class ByPrefix implements Resettable {

        private final Journal journal;

        ByPrefix(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(
                id = "prefix",
                idIsGroup = false,
                topics = "${test.topic}",
                batch = "true",
                autoStartup = "false")
        @IdempotentListener(scope = KafkaTestApplication.SCOPE, key = "headers['x-idempotency-key'].substring(0, 2)")
        void on(List<String> bodies) {
            bodies.forEach(journal::write);
        }
    }

    /** For modes in which the listener acknowledges; by default it does. */
    static class Manual implements Resettable {

        private final Journal journal;
        private volatile java.util.function.Consumer<Acknowledgment> work = Acknowledgment::acknowledge;

        Manual(Journal journal) {
            this.journal = journal;
        }

        @Override
        public void reset() {
            does(Acknowledgment::acknowledge);
        }

        void does(java.util.function.Consumer<Acknowledgment> what) {
            work = what;
        }

        @KafkaListener(
                id = "manual",
                idIsGroup = false,
                topics = "${test.topic}",
                batch = "true",
                autoStartup = "false",
                filter = "${test.filter:}")
        @IdempotentListener(scope = KafkaTestApplication.SCOPE)
        void on(List<ConsumerRecord<String, String>> records, Acknowledgment acknowledgment) {
            records.forEach(record -> journal.write(record.value()));
            work.accept(acknowledgment);
        }
    }
}
