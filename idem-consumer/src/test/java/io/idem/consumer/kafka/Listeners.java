package io.idem.consumer.kafka;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.Resettable;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.Acknowledgment;

/** Listeners that write what they get into the journal, and do what the test of the moment tells them. */
final class Listeners {

    private Listeners() {}

    /** For modes in which the container acknowledges. */
    static class Plain implements Resettable {

        private final Journal journal;
        private volatile Consumer<ConsumerRecord<String, String>> work = record -> {};

        Plain(Journal journal) {
            this.journal = journal;
        }

        @Override
        public void reset() {
            does(record -> {});
        }

        void does(Consumer<ConsumerRecord<String, String>> what) {
            work = what;
        }

        @KafkaListener(id = "plain", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = KafkaTestApplication.SCOPE)
        void on(ConsumerRecord<String, String> record) {
            journal.write(record.value());
            work.accept(record);
        }
    }

    /** For modes in which the listener acknowledges; by default it does. */
    static class Manual implements Resettable {

        private final Journal journal;
        private volatile Consumer<Acknowledgment> work = Acknowledgment::acknowledge;

        Manual(Journal journal) {
            this.journal = journal;
        }

        @Override
        public void reset() {
            does(Acknowledgment::acknowledge);
        }

        void does(Consumer<Acknowledgment> what) {
            work = what;
        }

        @KafkaListener(id = "manual", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = KafkaTestApplication.SCOPE)
        void on(ConsumerRecord<String, String> record, Acknowledgment acknowledgment) {
            journal.write(record.value());
            work.accept(acknowledgment);
        }
    }
}
