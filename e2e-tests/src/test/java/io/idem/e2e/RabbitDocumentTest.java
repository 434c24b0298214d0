package io.idem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.rabbit.DeferralSettings.QueueType;
import io.idem.consumer.rabbit.DeferralStrategy;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** {@code docs/rabbitmq.md} matches the code. */
class RabbitDocumentTest {

    @Test
    void everyStrategyForDeferredMessagesIsDescribed() {
        String document = TestSources.document("rabbitmq.md");

        assertThat(DeferralStrategy.values())
                .allSatisfy(strategy -> assertThat(document)
                        .contains(
                                "| `" + strategy.name().toLowerCase(Locale.ROOT).replace('_', '-') + "` |"));
    }

    @Test
    void everyQueueTypeIsNamed() {
        String document = TestSources.document("rabbitmq.md");

        assertThat(Arrays.stream(QueueType.values()))
                .allSatisfy(
                        type -> assertThat(document).contains("`" + type.name().toLowerCase(Locale.ROOT) + "`"));
    }
}
