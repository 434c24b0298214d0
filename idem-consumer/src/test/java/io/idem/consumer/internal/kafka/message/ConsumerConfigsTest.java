package io.idem.consumer.internal.kafka.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.internal.kafka.publish.DurableAcks;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of Kafka's clients are read as the clients read them. */
class ConsumerConfigsTest {

    private static ConsumerConfigs with(String name, Object value) {
        return new ConsumerConfigs(Map.of(name, value));
    }

    @ParameterizedTest
    @CsvSource(
            ignoreLeadingAndTrailingWhitespace = false,
            value = {"true,true", "true ,true", " TRUE,true", "\ttrue,true", "false,false", "false ,false"})
    void autoCommit(String text, boolean on) {
        assertThat(with(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, text).autoCommit())
                .isEqualTo(on);
    }

    @Test
    void autoCommitAsAnObject() {
        assertThat(with(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, true).autoCommit())
                .isTrue();
        assertThat(new ConsumerConfigs(Map.of()).autoCommit()).isFalse();
    }

    @Test
    void numbersWithBlanks() {
        assertThat(with(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, " 60000 ").maxPollInterval())
                .isEqualTo(Duration.ofMinutes(1));
        assertThat(with(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "7 ").maxPollRecords())
                .isEqualTo(7);
        assertThat(with(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 7).maxPollRecords())
                .isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"all", "all ", " -1"})
    void acksOfAllReplicas(String acks) {
        assertThat(DurableAcks.areIn(Map.of(ProducerConfig.ACKS_CONFIG, acks))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 ", "0"})
    void acksOfFewer(String acks) {
        assertThat(DurableAcks.areIn(Map.of(ProducerConfig.ACKS_CONFIG, acks))).isFalse();
    }
}
