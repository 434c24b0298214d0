package io.idem.consumer.kafka;

import static org.awaitility.Awaitility.await;

import io.idem.consumer.contract.DeadLetterHarness;
import io.idem.consumer.contract.DeadLetterSourceContract;
import io.idem.consumer.contract.ReceivedMessage;
import io.idem.consumer.contract.SharedApplications;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.kafka.deadletter.KafkaDeadLetterSource;
import io.idem.servers.process.FreePorts;
import io.idem.spi.DeadLetterSource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;

@Tag("servers")
class KafkaDeadLettersContractTest extends DeadLetterSourceContract {

    @RegisterExtension
    static final SharedApplications<KafkaTestApplication> APPLICATIONS = KafkaTestApplication.shared();

    @Override
    protected DeadLetterHarness open() {
        return new Harness();
    }

    /** Letters in one topic that come from another one, which has no listener. */
    private static final class Harness implements DeadLetterHarness {

        private final KafkaTestApplication application =
                KafkaTestApplication.with(APPLICATIONS, Listeners.Plain.class).start();
        private final PublishedRecords letters = new PublishedRecords();
        private final PublishedRecords origin = new PublishedRecords();

        @Override
        public DeadLetterSource source() {
            return application.bean(KafkaDeadLetterSource.class);
        }

        @Override
        public DeadLetterSource unreachable() {
            Map<String, Object> settings = Map.of("bootstrap.servers", "127.0.0.1:" + FreePorts.next());
            return new KafkaDeadLetterSource(
                    () -> new DefaultKafkaConsumerFactory<>(settings),
                    () -> new DefaultKafkaProducerFactory<>(settings),
                    () -> application.bean(IdempotentListeners.class));
        }

        @Override
        public String letters() {
            return letters.topic();
        }

        @Override
        public String origin() {
            return origin.topic();
        }

        /** A name that no topic can have: the broker would make one of any other name. */
        @Override
        public String nowhere() {
            return "no topic";
        }

        /** A topic forgets by its retention. */
        @Override
        public boolean takesAway() {
            return false;
        }

        @Override
        public void put(String body, Map<String, String> headers) {
            ProducerRecord<String, String> letter = new ProducerRecord<>(letters(), body);
            headers.forEach((name, value) -> letter.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
            application.sendAsItIs(letter);
        }

        @Override
        public List<ReceivedMessage> moved() {
            return read(origin, (int) PublishedRecords.count(origin()));
        }

        @Override
        public List<String> left(int expected) {
            return read(letters, expected).stream().map(ReceivedMessage::body).toList();
        }

        private static List<ReceivedMessage> read(PublishedRecords topic, int expected) {
            await().until(() -> topic.all().size() == expected);
            return topic.all().stream().map(PublishedRecords::message).toList();
        }

        @Override
        public void close() {
            letters.close();
            origin.close();
            application.close();
        }
    }
}
