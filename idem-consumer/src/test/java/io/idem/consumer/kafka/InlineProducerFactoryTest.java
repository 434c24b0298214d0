package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;

/** A template bean whose producer factory is no bean. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("extended")
class InlineProducerFactoryTest {

    private final PublishedRecords published = new PublishedRecords();

    @AfterEach
    void close() {
        published.close();
    }

    @Test
    void itsRecordsCarryTheKeyOn() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(Listeners.Plain.class, Inline.class).start()) {
            KafkaTemplate<?, ?> template = application.bean(KafkaTemplate.class);
            application.bean(Listeners.Plain.class).does(record -> send(template));

            application.send("k1", "one");

            await().atMost(Duration.ofMinutes(3)).until(() -> published.values().size() == 1);
            assertThat(published.keys()).singleElement().isNotNull();
        }
    }

    @SuppressWarnings("unchecked")
    private void send(KafkaTemplate<?, ?> template) {
        var unused = ((KafkaTemplate<String, String>) template).send(published.topic(), "a");
    }

    @Test
    void aProducerFactoryThatCannotBeEquippedIsWarnedOfAtStartUp(CapturedOutput output) {
        KafkaTestApplication.with(OfItsOwnMaking.class).start().close();

        assertThat(output.getAll().lines())
                .filteredOn(line -> line.contains("WARN") && line.contains("cannot configure"))
                .singleElement()
                .asString()
                .contains("\"own\"");
    }

    static class Inline {

        @Bean
        KafkaTemplate<String, String> inline() {
            return new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(
                    Map.of("bootstrap.servers", KafkaTestApplication.bootstrapServers()),
                    new StringSerializer(),
                    new StringSerializer()));
        }
    }

    static class OfItsOwnMaking {

        @Bean
        KafkaTemplate<String, String> own() {
            ProducerFactory<String, String> factory = () -> new MockProducer<>();
            return new KafkaTemplate<>(factory);
        }
    }
}
