package io.idem.consumer.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.TopicPartition;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/**
 * spring-kafka 4.1.2: the failed future of an asynchronous listener is acknowledged before it is tried again, and the failures of
 * all consumers of a container go to the last of them. The tests assert what happens today; they turn red when the adapter leaves
 * the acknowledgement to the error handler, and when each consumer gets its own failures.
 */
@Tag("extended")
class KafkaAsyncRetryTest {

    @EnableKafka
    static class Application {

        private final List<String> called = new CopyOnWriteArrayList<>();
        private final CompletableFuture<Void> first = new CompletableFuture<>();

        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory() {
            return PlainKafka.factory(new DefaultErrorHandler(new FixedBackOff(0, 5)));
        }

        List<String> called() {
            return called;
        }

        /** Returns a future that fails when the test says so. */
        CompletableFuture<Void> firstCall(String body) {
            called.add(body);
            return first;
        }

        void fail() {
            first.completeExceptionally(new IllegalStateException("failed"));
        }
    }

    static class Unfinished extends Application {

        private final CompletableFuture<Void> second = new CompletableFuture<>();

        @KafkaListener(topics = "${topic}", groupId = "${topic}")
        CompletableFuture<Void> on(String body) {
            boolean again = called().contains(body);
            CompletableFuture<Void> failing = firstCall(body);
            return again ? second : failing;
        }
    }

    static class TwoConsumers extends Application {

        @KafkaListener(
                groupId = "${topic}",
                concurrency = "2",
                topicPartitions =
                        @TopicPartition(
                                topic = "${topic}",
                                partitions = {"0", "1"}))
        CompletableFuture<Void> on(String body) {
            boolean again = called().contains(body);
            CompletableFuture<Void> failing = firstCall(body);
            return again ? CompletableFuture.completedFuture(null) : failing;
        }
    }

    @Test
    void aFailedFutureIsCommittedBeforeItsSecondAttemptHasEnded() throws Exception {
        PlainKafka kafka = new PlainKafka();
        try (AnnotationConfigApplicationContext context = kafka.start(List.of("one"), Unfinished.class)) {
            Application application = context.getBean(Application.class);
            application.fail();

            await().until(() -> application.called().equals(List.of("one", "one")));
            await("expected: 0").until(() -> kafka.committed() == 1);
        }
    }

    @Test
    void withTwoConsumersTheFailedFutureOfTheFirstOneIsLost() throws Exception {
        PlainKafka kafka = new PlainKafka(2);
        try (AnnotationConfigApplicationContext context = kafka.start(List.of("of 0", "of 1"), TwoConsumers.class)) {
            Application application = context.getBean(Application.class);
            await().until(() -> application.called().size() == 2);
            application.fail();

            await().until(() -> kafka.committed() == 1);
            await().during(Duration.ofSeconds(1))
                    .until(() -> application.called().size() == 3);
            assertThat(application.called())
                    .as("expected: both twice")
                    .containsExactlyInAnyOrder("of 0", "of 1", "of 1");
        }
    }
}
