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
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/**
 * spring-kafka 4.1.1: once the error handler has recovered a record whose asynchronous listener method threw, the container
 * stays paused for the acknowledgements of the records behind it, which were sought back to and are never polled. The test of a
 * throwing method asserts what happens today; it turns red when the container forgets those records as it does in a retry.
 */
@Tag("extended")
class KafkaThrowingAsyncListenerTest {

    private final PlainKafka kafka = new PlainKafka();

    /** What both listeners share: the first failure is recovered. */
    @EnableKafka
    static class Application {

        private final List<String> called = new CopyOnWriteArrayList<>();
        private final List<String> recovered = new CopyOnWriteArrayList<>();

        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory() {
            return PlainKafka.factory(new DefaultErrorHandler(
                    (record, failure) -> recovered.add(String.valueOf(record.value())), new FixedBackOff(0, 0)));
        }

        void fail(String body) {
            called.add(body);
            if (body.equals("bad")) {
                throw new IllegalStateException(body);
            }
        }

        List<String> called() {
            return called;
        }

        List<String> recovered() {
            return recovered;
        }
    }

    static class Throwing extends Application {

        @KafkaListener(topics = "${topic}", groupId = "${topic}")
        CompletableFuture<Void> on(String body) {
            fail(body);
            return CompletableFuture.completedFuture(null);
        }
    }

    static class Returning extends Application {

        @KafkaListener(topics = "${topic}", groupId = "${topic}")
        CompletableFuture<Void> on(String body) {
            try {
                fail(body);
                return CompletableFuture.completedFuture(null);
            } catch (IllegalStateException failure) {
                return CompletableFuture.failedFuture(failure);
            }
        }
    }

    @Test
    void onceARecordWhoseMethodThrewIsRecoveredNothingBehindItIsDelivered() throws Exception {
        try (AnnotationConfigApplicationContext context = start(Throwing.class)) {
            Application application = context.getBean(Application.class);
            await().until(() -> application.recovered().equals(List.of("bad")) && kafka.committed() == 2);

            await().during(Duration.ofSeconds(1))
                    .until(() -> application.called().equals(List.of("good", "bad")));
            assertThat(kafka.committed()).as("expected: 3").isEqualTo(2);
        }
    }

    @Test
    void onceOneWhoseFutureFailedIsRecoveredTheOthersAreDone() throws Exception {
        try (AnnotationConfigApplicationContext context = start(Returning.class)) {
            Application application = context.getBean(Application.class);

            await().until(() -> application.recovered().equals(List.of("bad")) && kafka.committed() == 3);
            assertThat(application.called()).containsExactly("good", "bad", "behind");
        }
    }

    private AnnotationConfigApplicationContext start(Class<?> application) throws Exception {
        return kafka.start(List.of("good", "bad", "behind"), application);
    }
}
