package io.idem.consumer.internal.kafka.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.mock.MockProducerFactory;

/** Which records leave otherwise than through the application's template; nothing is sent. */
class VerbatimTemplateTest {

    private static final byte[] BYTES = {1};

    private static VerbatimTemplate beside(ProducerFactory<?, ?> application) {
        return new VerbatimTemplate(application, template -> {});
    }

    private static ProducerFactory<Object, Object> writing(
            Class<? extends Serializer<?>> keys, Class<? extends Serializer<?>> values) {
        return new DefaultKafkaProducerFactory<>(
                Map.of("bootstrap.servers", "localhost:9092", "key.serializer", keys, "value.serializer", values));
    }

    private static ProducerRecord<Object, Object> record(Object key, Object value) {
        return new ProducerRecord<>("topic", key, value);
    }

    @Test
    void onlyRecordsWithBytesThatTheApplicationWouldWriteOtherwise() {
        VerbatimTemplate texts = beside(writing(StringSerializer.class, StringSerializer.class));
        VerbatimTemplate bytes = beside(writing(ByteArraySerializer.class, ByteArraySerializer.class));

        assertThat(texts.isFor(record("key", "value"))).isFalse();
        assertThat(texts.isFor(record("key", BYTES))).isTrue();
        assertThat(texts.isFor(record(BYTES, "value"))).isTrue();
        assertThat(bytes.isFor(record(BYTES, BYTES))).isFalse();
    }

    @Test
    void noneWhereAFactoryDoesNotTellItsBrokers() {
        VerbatimTemplate beside =
                beside(new MockProducerFactory<Object, Object>((transactional, id) -> new MockProducer<>(), null));

        assertThat(beside.isFor(record(BYTES, BYTES))).isFalse();
    }

    @Test
    void noneOnceItIsClosed() {
        VerbatimTemplate closed = beside(writing(StringSerializer.class, StringSerializer.class));
        closed.close();

        assertThatIllegalStateException().isThrownBy(closed::get).withMessageContaining("closing");
    }
}
