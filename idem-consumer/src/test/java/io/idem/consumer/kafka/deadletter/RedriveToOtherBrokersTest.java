package io.idem.consumer.kafka.deadletter;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.spi.DeadLetterSource.Sought;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;

/** A letter is not moved to a cluster where no listener would read it; nothing is read. */
class RedriveToOtherBrokersTest {

    @Test
    void factoriesOfDifferentClustersAreNamed() {
        KafkaDeadLetterSource source = new KafkaDeadLetterSource(
                () -> new DefaultKafkaConsumerFactory<>(Map.of("bootstrap.servers", "a:9092")),
                () -> new DefaultKafkaProducerFactory<>(Map.of("bootstrap.servers", "b:9092")),
                () -> {
                    throw new IllegalStateException("A letter is looked for");
                });
        Sought sought = new Sought(
                new RecordId(IdempotencyKey.of("k1"), new Scope("payments")), Fingerprint.NONE, "events-dlt", 10);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> source.moveBack(sought, () -> true))
                .withMessageContaining("a:9092");
    }
}
