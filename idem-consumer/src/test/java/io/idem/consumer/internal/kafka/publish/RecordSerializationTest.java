package io.idem.consumer.internal.kafka.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Serializer;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;

/** What would fill a producer's records fills those that are kept or leave verbatim, in the same state. */
class RecordSerializationTest {

    private static final Map<String, Object> SETTINGS = Map.of("test.prefix", "configured");

    /** Writes what it was told, as serializers do that need a registry's address. */
    public static final class Prefixing implements Serializer<String> {

        private String prefix = "unconfigured";

        @Override
        public void configure(Map<String, ?> settings, boolean forKeys) {
            prefix = settings.get("test.prefix") + (forKeys ? " key " : " value ");
        }

        @Override
        public byte[] serialize(String topic, String text) {
            return (prefix + text).getBytes(StandardCharsets.UTF_8);
        }
    }

    private static String written(DefaultKafkaProducerFactory<String, String> factory) {
        ProducerRecord<byte[], byte[]> bytes =
                new RecordSerialization<>(factory).of(new ProducerRecord<>("topic", "k", "v"));
        return new String(bytes.key(), StandardCharsets.UTF_8) + ", "
                + new String(bytes.value(), StandardCharsets.UTF_8);
    }

    @Test
    void suppliedSerializersAreConfiguredLikeTheProducers() {
        assertThat(written(new DefaultKafkaProducerFactory<>(SETTINGS, Prefixing::new, Prefixing::new)))
                .isEqualTo("configured key k, configured value v");
    }

    @Test
    void serializersGivenAsObjectsAreToo() {
        assertThat(written(new DefaultKafkaProducerFactory<>(SETTINGS, new Prefixing(), new Prefixing())))
                .isEqualTo("configured key k, configured value v");
    }

    @Test
    void serializersOfAFactoryThatConfiguresNoneStayAsTheyAre() {
        assertThat(written(new DefaultKafkaProducerFactory<>(SETTINGS, Prefixing::new, Prefixing::new, false)))
                .isEqualTo("unconfiguredk, unconfiguredv");
    }

    @Test
    void serializersNamedInTheSettingsAreMadeAndConfigured() {
        assertThat(written(new DefaultKafkaProducerFactory<>(Map.of(
                        "test.prefix",
                        "configured",
                        ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                        Prefixing.class,
                        ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                        Prefixing.class.getName()))))
                .isEqualTo("configured key k, configured value v");
    }

    @Test
    void blanksAroundTheNameOfASerializerDoNotCount() {
        assertThat(written(new DefaultKafkaProducerFactory<>(Map.of(
                        "test.prefix",
                        "configured",
                        ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                        Prefixing.class.getName() + " ",
                        ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                        " " + Prefixing.class.getName()))))
                .isEqualTo("configured key k, configured value v");
    }
}
