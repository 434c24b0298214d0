package io.idem.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class KafkaServersTest {

    @Test
    void whatWasAcknowledgedIsReadAfterAKillAtTheSameAddress() throws Exception {
        try (RunningKafka kafka = KafkaServers.start(ServerOptions.own().with("num.partitions", "3"))) {
            assertThat(send(kafka, "payments", "one")).isEqualTo(3);
            kafka.kill();
            assertThat(kafka.pid()).isEmpty();
            kafka.start();
            send(kafka, "payments", "two");

            assertThat(read(kafka, "payments", 2)).containsExactlyInAnyOrder("one", "two");
        }
    }

    @Test
    void aGivenAddressIsTakenAsItIs() {
        RunningKafka kafka = KafkaServers.given(new Environment(name -> Optional.ofNullable(
                        Map.of("IDEM_KAFKA_BOOTSTRAP", "k1:9092,k2:9092").get(name))))
                .orElseThrow();

        assertThat(kafka.bootstrapServers()).isEqualTo("k1:9092,k2:9092");
        assertThat(kafka.controllable()).isFalse();
    }

    private static int send(RunningKafka kafka, String topic, String value) throws Exception {
        Map<String, Object> settings = Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, value)).get(30, TimeUnit.SECONDS);
            return producer.partitionsFor(topic).size();
        }
    }

    private static List<String> read(RunningKafka kafka, String topic, int count) {
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers(),
                ConsumerConfig.GROUP_ID_CONFIG, "readers",
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(message -> values.add(message.value()));
                return values.size() >= count;
            });
        }
        return values;
    }
}
