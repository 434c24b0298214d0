package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.kafka.container.PollBudget;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;

/** Nothing that idem waits for keeps a consumer from polling in time, and what does not fit is said at start-up. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("servers")
class PollBudgetTest {

    @Test
    void whatOneDeliveryMayTakeLeavesTheConsumerTimeToPoll() {
        PollBudget budget = new PollBudget(Duration.ofMinutes(5), 500);

        assertThat(budget.inPlace()).isEqualTo(Duration.ofMillis(300));
        assertThat(budget.hold()).isEqualTo(Duration.ofMinutes(2));
        assertThat(budget.inPlace().multipliedBy(500).plus(budget.hold())).isLessThan(Duration.ofMinutes(5));
    }

    @Test
    void defaultsAreNotReported(CapturedOutput output) {
        try (KafkaTestApplication unused =
                KafkaTestApplication.with(Listeners.Plain.class).start()) {
            assertThat(output).contains("idem guards").doesNotContain("in-place-wait", "longest-hold");
        }
    }

    @Test
    void aChosenWaitThatDoesNotFitIsReportedInPlainUnits(CapturedOutput output) {
        try (KafkaTestApplication unused = KafkaTestApplication.with(Listeners.Plain.class)
                .set("idem.consumer.in-place-wait", "5s")
                .start()) {
            assertThat(output).contains("for at most 300 ms instead of idem.consumer.in-place-wait 5 s");
        }
    }

    @Test
    void theReportSaysKeySourceInboxAndDeadLettersInPlainWords(CapturedOutput output) {
        try (KafkaTestApplication unused = KafkaTestApplication.with(Listeners.Plain.class)
                .set("idem.consumer.kafka.dead-letter.topic-suffix", "-dlt")
                .start()) {
            assertThat(output)
                    .contains(
                            "Plain.on): key from headers, inbox no, dead letters to the topic's name plus \"-dlt\", lease 30 s,"
                                    + " renewed every 10 s, kept for 24 h");
        }
    }

    /** The setting alone would hold the thread for two minutes and lose the partition after three seconds. */
    @Test
    void anEffectThatCannotBeRecordedDoesNotCostTheConsumerItsPartition(CapturedOutput output) {
        try (KafkaTestApplication application = KafkaTestApplication.with(Listeners.Plain.class, Rebalances.class)
                .set("spring.kafka.consumer.properties.max.poll.interval.ms", 3_000)
                .set("spring.kafka.consumer.properties.session.timeout.ms", 6_000)
                .set("idem.lease", "1s")
                .start()) {
            assertThat(output).contains("Plain.on", "a hold of 2 min", "max.poll.interval.ms 3000");
            application.store().failCompletions(1_000_000);
            application.send("k1", "one");
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> application
                                    .journal()
                                    .events(ConsumerEvent.Deferred.class)
                                    .size()
                            >= 3);
            assertThat(application.committed()).isEqualTo(-1);
            assertThat(application.bean(Rebalances.class).lost()).isEmpty();

            application.store().failCompletions(0);
            await().atMost(Duration.ofMinutes(3)).until(() -> application.committed() == 1);
        }
    }

    @Test
    void fewerAttemptsThanRetryTopicsAreReported(CapturedOutput output) {
        try (KafkaTestApplication unused = KafkaTestApplication.with(Retried.class)
                .set("idem.max-attempts", 3)
                .start()) {
            assertThat(output)
                    .contains("@IdempotentListener Retried.three: its maxAttempts 2")
                    .doesNotContain("@IdempotentListener Retried.four: its maxAttempts");
        }
    }

    /** Says when a partition is lost. */
    static class Rebalances {

        private final List<TopicPartition> lost = new CopyOnWriteArrayList<>();

        List<TopicPartition> lost() {
            return lost;
        }

        @Bean
        ConsumerAwareRebalanceListener rebalances() {
            return new ConsumerAwareRebalanceListener() {
                @Override
                public void onPartitionsLost(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
                    lost.addAll(partitions);
                }
            };
        }
    }

    /** Three attempts by topics each. */
    static class Retried {

        @RetryableTopic
        @KafkaListener(id = "three", idIsGroup = false, topics = "${test.topic}-three", autoStartup = "false")
        @IdempotentListener(scope = "three", maxAttempts = "2")
        void three(String body) {}

        @RetryableTopic
        @KafkaListener(id = "four", idIsGroup = false, topics = "${test.topic}-four", autoStartup = "false")
        @IdempotentListener(scope = "four")
        void four(String body) {}
    }
}
