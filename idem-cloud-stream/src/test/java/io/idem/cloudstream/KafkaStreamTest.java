package io.idem.cloudstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.servers.SharedServers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The contract on Kafka. */
@ExtendWith(OutputCaptureExtension.class)
class KafkaStreamTest extends StreamContract {

    private static final String CONSUMER = "spring.cloud.stream.kafka.bindings.pay-in-0.consumer.";

    private static KafkaProducer<String, String> outside;
    private static KafkaConsumer<String, String> reader;
    private static Admin admin;

    @BeforeAll
    static void open() {
        outside = new KafkaProducer<>(servers(), new StringSerializer(), new StringSerializer());
        reader = new KafkaConsumer<>(servers(), new StringDeserializer(), new StringDeserializer());
        admin = Admin.create(servers());
    }

    @AfterAll
    static void closeClients() {
        outside.close();
        reader.close();
        admin.close();
    }

    private static Map<String, Object> servers() {
        return Map.of("bootstrap.servers", SharedServers.kafka().bootstrapServers());
    }

    @Override
    List<String> broker() {
        String servers = SharedServers.kafka().bootstrapServers();
        return List.of(
                "spring.cloud.stream.default-binder=kafka",
                "spring.kafka.bootstrap-servers=" + servers,
                "spring.cloud.stream.kafka.binder.brokers=" + servers,
                "spring.kafka.producer.acks=all",
                "spring.kafka.consumer.fetch-max-wait=20ms");
    }

    @Override
    List<String> binderDeadLetters() {
        return List.of(CONSUMER + "enable-dlq=true");
    }

    @Override
    List<String> ownDeadLetters(String name) {
        return List.of("idem.consumer.kafka.dead-letter.topic-suffix=." + name);
    }

    @Override
    String ownDeadLetterDestination(String name) {
        return "pay-in-0:" + name;
    }

    @Override
    void send(StreamApplication to, String destination, String body, Map<String, String> headers) {
        ProducerRecord<String, String> record = new ProducerRecord<>(destination, 0, null, body);
        headers.forEach((name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        try {
            outside.send(record).get();
        } catch (InterruptedException | ExecutionException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    Arrivals listen(StreamApplication at, String destination) {
        return arrivals(
                destination.startsWith("pay-in-0:")
                        ? at.destination("pay-in-0") + "." + destination.substring("pay-in-0:".length())
                        : destination);
    }

    @Override
    Arrivals binderDeadLettersOf(StreamApplication application) {
        return arrivals("error." + application.destination("pay-in-0") + "." + StreamApplication.GROUP);
    }

    /** Reads a topic from its beginning each time, which may not be there yet. */
    private static Arrivals arrivals(String topic) {
        return () -> {
            List<Map.Entry<String, Map<String, String>>> all = new CopyOnWriteArrayList<>();
            if (!reader.listTopics().containsKey(topic)) {
                return all;
            }
            TopicPartition partition = new TopicPartition(topic, 0);
            reader.assign(List.of(partition));
            reader.seekToBeginning(List.of(partition));
            long end =
                    Objects.requireNonNull(reader.endOffsets(List.of(partition)).get(partition));
            while (reader.position(partition) < end) {
                reader.poll(Duration.ofMillis(200)).forEach(record -> {
                    Map<String, String> headers = new TreeMap<>();
                    record.headers()
                            .forEach(header ->
                                    headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
                    all.add(Map.entry(record.value(), headers));
                });
            }
            return all;
        };
    }

    @Override
    boolean isSettled(StreamApplication application, String destination, int sent) {
        try {
            OffsetAndMetadata offset = admin.listConsumerGroupOffsets(StreamApplication.GROUP)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(new TopicPartition(destination, 0));
            return offset != null && offset.offset() == sent;
        } catch (InterruptedException | ExecutionException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    String unsafe() {
        return "spring.kafka.listener.async-acks=true";
    }

    @Test
    @Tag("extended")
    void deadLettersThatWouldLeaveTheBrokersOfTheBinderAreRefused() {
        assertThatThrownBy(() -> launch(
                        PaymentFunctions.Consuming.class,
                        "pay",
                        "spring.kafka.producer.bootstrap-servers=elsewhere:9092",
                        "idem.consumer.kafka.dead-letter.topic-suffix=.letters"))
                .hasStackTraceContaining("sends its dead letters to [elsewhere:9092]");
    }

    @Test
    @Tag("extended")
    void deadLettersThatOneBrokerMayLoseAreRefused() {
        assertThatThrownBy(() -> launch(
                        PaymentFunctions.Consuming.class,
                        "pay",
                        "spring.kafka.producer.properties.acks=1",
                        "idem.consumer.kafka.dead-letter.topic-suffix=.letters"))
                .hasStackTraceContaining("acks=all");
    }

    @Test
    @Tag("extended")
    void deadLettersThatNothingCanSendAreRefused() {
        assertThatThrownBy(() -> launch(
                        PaymentFunctions.Consuming.class,
                        "pay",
                        "spring.autoconfigure.exclude=org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
                        "idem.consumer.kafka.dead-letter.topic-suffix=.letters"))
                .hasStackTraceContaining("cannot be guarded")
                .hasStackTraceContaining("KafkaOperations");
    }

    @Test
    void aDlqOfTheBinderWithoutATopicForWhatIdemRefusesIsRefused() {
        assertThatThrownBy(() -> launch(PaymentFunctions.Consuming.class, "pay", CONSUMER + "enable-dlq=true"))
                .hasStackTraceContaining("enable-dlq")
                .hasStackTraceContaining("Set idem.consumer.kafka.dead-letter.topic-suffix");
    }

    @Test
    void aFunctionWhoseBindingReadsFromTheBeginningAtEachStartIsNamed(CapturedOutput output) {
        launch(
                PaymentFunctions.Consuming.class,
                "pay",
                CONSUMER + "reset-offsets=true",
                CONSUMER + "start-offset=earliest");

        assertThat(output).containsPattern("WARN.* reads from a given offset at each start");
    }

    /** A container with transactions hands what it gives up to the binder's DLQ, within a transaction. */
    @Test
    void theDlqOfABinderWithTransactionsGetsWhatIdemRefuses() {
        launch(
                PaymentFunctions.Consuming.class,
                "pay",
                CONSUMER + "enable-dlq=true",
                "spring.cloud.stream.kafka.binder.required-acks=all",
                "spring.cloud.stream.kafka.binder.transaction.transaction-id-prefix=tx" + System.nanoTime() + "-");
        Arrivals letters = binderDeadLettersOf(app());
        app().journal().does(body -> {
            throw new IllegalArgumentException("no such account");
        });
        send(app(), app().destination("pay-in-0"), "rejected", Map.of(IdempotencyHeaders.KEY, "k1"));
        send(app(), app().destination("pay-in-0"), "no key", Map.of());

        await().atMost(LONG)
                .untilAsserted(() ->
                        assertThat(letters.all()).extracting(Map.Entry::getKey).containsExactly("rejected", "no key"));
    }

    /** The bridge makes its binding when the transaction of the container has its producer already. */
    @Test
    void theFirstTransactionCarriesKeysOn() {
        String notes = "idem-notes-" + System.nanoTime();
        launch(
                PaymentFunctions.Noting.class,
                "pay",
                "spring.cloud.stream.kafka.binder.transaction.transaction-id-prefix=tx" + System.nanoTime() + "-",
                "spring.cloud.stream.bindings.notes.destination=" + notes);
        Arrivals bridged = listen(app(), notes);
        send(app(), app().destination("pay-in-0"), "one", Map.of(IdempotencyHeaders.KEY, "k1"));

        await().atMost(LONG).until(() -> !bridged.all().isEmpty());
        assertThat(bridged.all().get(0).getValue()).containsEntry(IdempotencyHeaders.ROOT, "k1");
    }
}
