package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static io.idem.consumer.kafka.StoppedListeners.ID;
import static io.idem.consumer.kafka.StoppedListeners.await;
import static io.idem.consumer.kafka.StoppedListeners.container;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Lease;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.kafka.annotation.BackOff;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.KafkaListenerConfigurer;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/** Whoever makes the container, and whenever: a record in progress elsewhere waits, and is neither skipped nor recovered. */
@Tag("extended")
class KafkaOwnFactoriesTest {

    static class Payments {

        private final Journal journal;

        Payments(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = ID, idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE)
        void pay(String body) {
            journal.write(body);
        }
    }

    private static DefaultErrorHandler givingUp(Journal journal) {
        return new DefaultErrorHandler(
                (record, failure) -> journal.write("recovered " + record.value()), new FixedBackOff(0, 0));
    }

    private static void assertWaitsForTheOtherOwner(KafkaTestApplication application) {
        Lease otherOwner = application.store().occupy("k1", SCOPE, Duration.ofMinutes(5));
        application.send("k1", "one");
        application.send("k1", "one");
        assertWaitsFor(application, otherOwner);
    }

    private static void assertWaitsFor(KafkaTestApplication application, Lease otherOwner) {
        await().until(() ->
                application.journal().events(ConsumerEvent.Deferred.class).size() >= 3);
        assertThat(application.committed()).isEqualTo(-1);
        application.store().fail(otherOwner, Duration.ZERO);

        await().until(() -> application.committed() == 2);
        assertThat(application.journal().entries()).containsExactly("one");
    }

    static class NoBean {

        @Bean
        static KafkaListenerConfigurer ownFactory(ConsumerFactory<Object, Object> consumers, Journal journal) {
            return registrar -> {
                ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
                        new ConcurrentKafkaListenerContainerFactory<>();
                factory.setConsumerFactory(consumers);
                factory.setCommonErrorHandler(givingUp(journal));
                registrar.setContainerFactory(factory);
            };
        }
    }

    @Test
    void theFactoryIsNoBean() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(Payments.class, NoBean.class).start()) {
            assertWaitsForTheOtherOwner(application);
        }
    }

    static class Overridden {

        /** Has the last word on what its containers have. */
        private static final class Factory extends ConcurrentKafkaListenerContainerFactory<Object, Object> {

            private final Journal journal;

            private Factory(Journal journal) {
                this.journal = journal;
            }

            @Override
            public ConcurrentMessageListenerContainer<Object, Object> createListenerContainer(
                    KafkaListenerEndpoint endpoint) {
                ConcurrentMessageListenerContainer<Object, Object> container = super.createListenerContainer(endpoint);
                container.setCommonErrorHandler(givingUp(journal));
                return container;
            }
        }

        @Bean
        ConcurrentKafkaListenerContainerFactory<Object, Object> kafkaListenerContainerFactory(
                ConsumerFactory<Object, Object> consumers, Journal journal) {
            Factory factory = new Factory(journal);
            factory.setConsumerFactory(consumers);
            return factory;
        }
    }

    @Test
    void theFactorySetsItsErrorHandlerLast() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(Payments.class, Overridden.class).start()) {
            assertWaitsForTheOtherOwner(application);
        }
    }

    @Test
    void theErrorHandlerIsSetBeforeTheRegistryStartsItsContainersAgain() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(Payments.class).start()) {
            KafkaListenerEndpointRegistry registry = application.bean(KafkaListenerEndpointRegistry.class);
            registry.stop();
            ((AbstractMessageListenerContainer<?, ?>) container(application))
                    .setCommonErrorHandler(givingUp(application.journal()));
            registry.start();

            assertWaitsForTheOtherOwner(application);
        }
    }

    static class Retried {

        private final Journal journal;

        Retried(Journal journal) {
            this.journal = journal;
        }

        @RetryableTopic(attempts = "2", backOff = @BackOff(delay = 50))
        @KafkaListener(id = ID, idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE)
        void pay(String body) {
            journal.write(body);
        }
    }

    static class LazyRetries {

        @Bean
        @Lazy
        Retried retried(Journal journal) {
            return new Retried(journal);
        }
    }

    static class PrototypeRetries {

        @Bean
        @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
        Retried retried(Journal journal) {
            return new Retried(journal);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {LazyRetries.class, PrototypeRetries.class})
    void aListenerWithRetryTopicsIsMadeAfterTheStart(Class<?> beans) {
        try (KafkaTestApplication application = KafkaTestApplication.with(beans).start()) {
            Lease otherOwner = application.store().occupy("k1", SCOPE, Duration.ofMinutes(5));
            application.send("k1", "one");
            application.send("k1", "one");

            assertThat(application.bean(Retried.class)).isNotNull();

            assertWaitsFor(application, otherOwner);
            assertThat(PublishedRecords.count(application.topic() + "-dlt")).isZero();
        }
    }

    @Test
    void aListenerWithRetryTopicsIsMadeLazilyWithAllOtherBeans() {
        try (KafkaTestApplication application = KafkaTestApplication.with(Retried.class)
                .set("spring.main.lazy-initialization", true)
                .start()) {
            assertThat(application.bean(Retried.class)).isNotNull();

            assertWaitsForTheOtherOwner(application);
            assertThat(PublishedRecords.count(application.topic() + "-dlt")).isZero();
        }
    }
}
