package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.OutgoingMessage;
import io.idem.consumer.contract.OutgoingTransportContract;
import io.idem.consumer.contract.ReceivedMessage;
import io.idem.consumer.contract.TransportHarness;
import io.idem.consumer.internal.kafka.publish.KafkaOutgoingTransport;
import io.idem.consumer.internal.kafka.publish.OutgoingRecordCodec;
import io.idem.servers.process.FreePorts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;

@Tag("servers")
class KafkaTransportContractTest extends OutgoingTransportContract {

    @Test
    void aMessageWithoutAPlaceBlocksForLessThanASecond() {
        try (Harness harness = new Harness()) {
            assertThat(harness.unreachable().publish(harness.message("one", Map.of())))
                    .failsWithin(Duration.ofMinutes(1))
                    .withThrowableOfType(ExecutionException.class)
                    .havingRootCause()
                    .withMessageContaining("900 ms");
        }
    }

    @Override
    protected TransportHarness open() {
        return new Harness();
    }

    private static final class Harness implements TransportHarness {

        private static final int MOST_BYTES = 1_000;

        private final PublishedRecords published = new PublishedRecords();
        private final KafkaOutgoingTransport transport = transport(KafkaTestApplication.bootstrapServers());
        private final KafkaOutgoingTransport unreachable = transport("127.0.0.1:" + FreePorts.next());
        private int read;

        Harness() {
            NewTopic small = new NewTopic(small(), 1, (short) 1);
            small.configs(Map.of("max.message.bytes", String.valueOf(MOST_BYTES)));
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", KafkaTestApplication.bootstrapServers()))) {
                admin.createTopics(List.of(small)).all().get();
            } catch (InterruptedException | ExecutionException failed) {
                throw new IllegalStateException(failed);
            }
            // The first message may find no metadata in the time that a transport has to take it over.
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> transport
                            .publish(message(small(), "first", Map.of()))
                            .handle((confirmed, refused) -> refused == null)
                            .toCompletableFuture()
                            .get());
        }

        private static KafkaOutgoingTransport transport(String servers) {
            return new KafkaOutgoingTransport(new DefaultKafkaProducerFactory<>(
                    Map.of("bootstrap.servers", servers, "max.block.ms", 5_000, "linger.ms", 0)));
        }

        private String small() {
            return published.topic() + "-small";
        }

        @Override
        public KafkaOutgoingTransport transport() {
            return transport;
        }

        @Override
        public KafkaOutgoingTransport unreachable() {
            return unreachable;
        }

        @Override
        public OutgoingMessage message(String body, Map<String, String> headers) {
            return message(published.topic(), body, headers);
        }

        @Override
        public OutgoingMessage refused() {
            return message(small(), "x".repeat(2 * MOST_BYTES), Map.of());
        }

        private static OutgoingMessage message(String topic, String body, Map<String, String> headers) {
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, bytes(body));
            headers.forEach((name, value) -> record.headers().add(name, bytes(value)));
            return new OutgoingMessage("kafka", topic, OutgoingRecordCodec.encode(record));
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public List<ReceivedMessage> arrived() {
            long there = PublishedRecords.count(published.topic());
            await().until(() -> published.all().size() >= there);
            List<ReceivedMessage> arrived = published.all().stream()
                    .skip(read)
                    .map(PublishedRecords::message)
                    .toList();
            read += arrived.size();
            return arrived;
        }

        @Override
        public void close() {
            published.close();
            transport.destroy();
            unreachable.destroy();
        }
    }
}
