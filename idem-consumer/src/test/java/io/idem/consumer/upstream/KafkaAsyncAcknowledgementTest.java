package io.idem.consumer.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.DefaultErrorHandler;

/**
 * spring-kafka 4.1.1: with MANUAL_IMMEDIATE and an asynchronous listener, what another thread acknowledges is committed after what the
 * consumer's thread acknowledges later, so that the committed offset goes back. The test of MANUAL_IMMEDIATE asserts what happens today;
 * it turns red when the container keeps the order.
 */
@Tag("extended")
class KafkaAsyncAcknowledgementTest {

    private final PlainKafka kafka = new PlainKafka();

    /** Its first record is done by another thread while the container's own is at the second one. */
    @EnableKafka
    abstract static class Application {

        private final CompletableFuture<Void> first = new CompletableFuture<>();
        private final CountDownLatch atSecond = new CountDownLatch(1);
        private final CountDownLatch go = new CountDownLatch(1);

        abstract AckMode mode();

        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory() {
            ConcurrentKafkaListenerContainerFactory<String, String> factory =
                    PlainKafka.factory(new DefaultErrorHandler());
            factory.getContainerProperties().setAckMode(mode());
            return factory;
        }

        @KafkaListener(topics = "${topic}", groupId = "${topic}")
        CompletableFuture<Void> on(String body) throws InterruptedException {
            if (body.equals("first")) {
                return first;
            }
            atSecond.countDown();
            go.await();
            return CompletableFuture.completedFuture(null);
        }

        /** Returns when the first record was acknowledged before the second. */
        void finish() throws InterruptedException {
            assertThat(atSecond.await(20, TimeUnit.SECONDS)).isTrue();
            first.complete(null);
            go.countDown();
        }
    }

    @Configuration
    static class Immediate extends Application {

        @Override
        AckMode mode() {
            return AckMode.MANUAL_IMMEDIATE;
        }
    }

    @Configuration
    static class Manual extends Application {

        @Override
        AckMode mode() {
            return AckMode.MANUAL;
        }
    }

    @Test
    void withManualImmediateTheCommittedOffsetGoesBack() throws Exception {
        try (AnnotationConfigApplicationContext context = start(Immediate.class)) {
            context.getBean(Application.class).finish();

            await().during(Duration.ofSeconds(1)).until(() -> kafka.committed() == 1);
        }
        assertThat(kafka.committed()).as("expected: 2").isEqualTo(1);
    }

    @Test
    void withManualItDoesNot() throws Exception {
        try (AnnotationConfigApplicationContext context = start(Manual.class)) {
            context.getBean(Application.class).finish();

            await().during(Duration.ofSeconds(1)).until(() -> kafka.committed() == 2);
        }
    }

    private AnnotationConfigApplicationContext start(Class<?> application) throws Exception {
        return kafka.start(List.of("first", "second"), application);
    }
}
