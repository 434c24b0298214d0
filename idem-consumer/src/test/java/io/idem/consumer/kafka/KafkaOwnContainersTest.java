package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static io.idem.consumer.kafka.StoppedListeners.assertUnhealthyBecause;
import static io.idem.consumer.kafka.StoppedListeners.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.Lease;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Scope;
import org.springframework.core.env.Environment;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.util.backoff.FixedBackOff;

/** Containers that an application makes by itself: they are hooked, or commit nothing. */
@Tag("extended")
class KafkaOwnContainersTest {

    static class Payments {

        private final Journal journal;

        Payments(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "annotated", topics = "unused", autoStartup = "false")
        @IdempotentListener(scope = SCOPE)
        void pay(String body) {
            journal.write(body);
        }
    }

    private static ConcurrentMessageListenerContainer<String, String> container(
            ConsumerFactory<String, String> consumers, Environment environment, Journal journal) {
        String topic = environment.getRequiredProperty("test.topic");
        ContainerProperties properties = new ContainerProperties(topic);
        properties.setGroupId(topic);
        ConcurrentMessageListenerContainer<String, String> container =
                new ConcurrentMessageListenerContainer<>(consumers, properties);
        container.setCommonErrorHandler(new DefaultErrorHandler(
                (record, failure) -> journal.write("recovered " + record.value()), new FixedBackOff(0, 0)));
        return container;
    }

    static class Unseen {

        @Bean
        Payments payments(Journal journal) {
            return new Payments(journal);
        }

        @Bean
        ConcurrentMessageListenerContainer<String, String> own(
                ConsumerFactory<String, String> consumers,
                Environment environment,
                Journal journal,
                Payments payments) {
            ConcurrentMessageListenerContainer<String, String> container = container(consumers, environment, journal);
            container.setupMessageListener((MessageListener<String, String>) record -> payments.pay(record.value()));
            return container;
        }
    }

    @Test
    void aContainerThatCallsTheMethodUnseenEndsWithNothingCommitted() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(Unseen.class).start()) {
            ConcurrentMessageListenerContainer<?, ?> own = application.bean(ConcurrentMessageListenerContainer.class);
            application.send("k1", "one");
            application.send("k2", "two");

            await().until(() -> !own.isRunning() && !own.isChildRunning());

            assertUnhealthyBecause(application, "Payments.pay", "outside a delivery of a supported listener container");
            assertThat(application.committed()).isEqualTo(-1);
            assertThat(application.journal().entries()).isEmpty();
        }
    }

    static class ListeningPayments implements MessageListener<String, String> {

        private final Journal journal;

        ListeningPayments(Journal journal) {
            this.journal = journal;
        }

        @Override
        @KafkaListener(id = "annotated", topics = "unused", autoStartup = "false")
        @IdempotentListener(scope = SCOPE)
        public void onMessage(ConsumerRecord<String, String> record) {
            journal.write(record.value());
        }
    }

    static class Listening {

        @Bean
        ListeningPayments payments(Journal journal) {
            return new ListeningPayments(journal);
        }

        @Bean
        ConcurrentMessageListenerContainer<String, String> own(
                ConsumerFactory<String, String> consumers,
                Environment environment,
                Journal journal,
                MessageListener<String, String> payments) {
            ConcurrentMessageListenerContainer<String, String> container = container(consumers, environment, journal);
            container.setupMessageListener(payments);
            return container;
        }
    }

    @Test
    void aContainerBeanThatListensByABeanIsHooked() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(Listening.class).start()) {
            assertWaitsForTheOtherOwner(application);
        }
    }

    static class AsyncListening {

        @Bean
        ListeningPayments payments(Journal journal) {
            return new ListeningPayments(journal);
        }

        @Bean
        ConcurrentMessageListenerContainer<String, String> own(
                ConsumerFactory<String, String> consumers, Environment environment, Journal journal) {
            return container(consumers, environment, journal);
        }

        /** Gives the container its listener after it has been made. */
        @Bean
        Object wiring(
                ConcurrentMessageListenerContainer<String, String> container,
                MessageListener<String, String> payments) {
            container.setupMessageListener(payments);
            return new Object();
        }
    }

    @Test
    void aContainerBeanThatGetsItsListenerBeforeItStartsIsHooked() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(AsyncListening.class).start()) {
            assertWaitsForTheOtherOwner(application);
        }
    }

    private static void assertWaitsForTheOtherOwner(KafkaTestApplication application) {
        Lease otherOwner = application.store().occupy("k1", SCOPE, Duration.ofMinutes(5));
        application.send("k1", "one");
        application.send("k1", "one");
        await().until(() ->
                application.journal().events(ConsumerEvent.Deferred.class).size() >= 3);
        assertThat(application.committed()).isEqualTo(-1);
        application.store().fail(otherOwner, Duration.ZERO);

        await().until(() -> application.committed() == 2);
        assertThat(application.journal().entries()).containsExactly("one");
    }

    static class ListeningInBatches implements BatchMessageListener<String, String> {

        private final Journal journal;

        ListeningInBatches(Journal journal) {
            this.journal = journal;
        }

        @Override
        @KafkaListener(id = "annotated", topics = "unused", autoStartup = "false")
        @IdempotentListener(scope = SCOPE, backoff = "1s", maxAttempts = "3")
        public void onMessage(List<ConsumerRecord<String, String>> records) {
            records.forEach(record -> journal.write(record.value()));
        }
    }

    static class InBatches {

        @Bean
        ListeningInBatches payments(Journal journal) {
            return new ListeningInBatches(journal);
        }

        @Bean
        ConcurrentMessageListenerContainer<String, String> own(
                ConsumerFactory<String, String> consumers,
                Environment environment,
                Journal journal,
                BatchMessageListener<String, String> payments) {
            ConcurrentMessageListenerContainer<String, String> container = container(consumers, environment, journal);
            container.setupMessageListener(payments);
            return container;
        }
    }

    @Test
    void aBatchListenerThatCannotBeRightIsRefusedAtStartInAContainerBeanToo() {
        assertThatThrownBy(() -> {
                    try (KafkaTestApplication application =
                            KafkaTestApplication.with(InBatches.class).start()) {
                        application.send("k1", "one");
                        await().until(() -> application.committed() == 1);
                        throw new AssertionError(
                                "committed after " + application.journal().entries());
                    }
                })
                .hasStackTraceContaining("gets batches and has a backoff of idem");
    }

    static class AsyncInBatches {

        @Bean
        ListeningInBatches payments(Journal journal) {
            return new ListeningInBatches(journal);
        }

        @Bean
        @Scope("prototype")
        ConcurrentMessageListenerContainer<String, String> own(
                ConsumerFactory<String, String> consumers,
                Environment environment,
                Journal journal,
                BatchMessageListener<String, String> payments) {
            ConcurrentMessageListenerContainer<String, String> container = container(consumers, environment, journal);
            container.setupMessageListener(payments);
            return container;
        }
    }

    @Test
    void aBatchListenerThatCannotBeRightStopsAContainerBeanThatIsMadeLater() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(AsyncInBatches.class).start()) {
            ConcurrentMessageListenerContainer<?, ?> own = (ConcurrentMessageListenerContainer<?, ?>)
                    application.context().getBean("own");
            own.start();
            application.send("k1", "one");

            await().until(() -> !own.isRunning() && !own.isChildRunning());

            assertUnhealthyBecause(application, "gets batches and has a backoff of idem");
            assertThat(application.committed()).isEqualTo(-1);
            assertThat(application.journal().entries()).isEmpty();
        }
    }
}
