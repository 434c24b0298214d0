package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.context.ContextArgumentResolver;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.KafkaListenerConfigurer;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.BatchInterceptor;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.util.backoff.FixedBackOff;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.Validated;

/** Factories that an application makes itself, with what it has put into them, beside Spring Boot's. */
@Tag("servers")
class OwnFactoriesTest {

    @Test
    void listenersOfSeveralFactoriesAreGuardedAndKeepWhatTheirFactoryHas() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(TwoFactories.class, Factories.class).start()) {
            application.send("k1", "refused");
            application.send("k2", "one");
            application.send("k2", "one");
            await().until(() -> application.committed() == 3);
            await().until(() -> application.committed(application.topic() + "-second", 0) == 3);

            assertThat(application.journal().entries())
                    .containsExactlyInAnyOrder(
                            "intercepted refused",
                            "recovered refused",
                            "intercepted one",
                            "intercepted one",
                            "second one k2",
                            "first refused",
                            "first one");
            assertThat(application.store().look("k1", "second"))
                    .as("validated before a lease is taken")
                    .isEmpty();
        }
    }

    static class TwoFactories {

        private final Journal journal;

        TwoFactories(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "first", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = "first")
        void first(String body) {
            journal.write("first " + body);
        }

        @KafkaListener(
                id = "second",
                groupId = "${test.topic}-second",
                topics = "${test.topic}",
                containerFactory = "own")
        @IdempotentListener(scope = "second")
        void second(@Payload @Validated String body, IdempotencyContext context, Acknowledgment acknowledgment) {
            journal.write("second " + body + " " + context.key().value());
            acknowledgment.acknowledge();
        }
    }

    /** The beans of {@link TwoFactories}. */
    static class Factories {

        @Bean
        ConcurrentKafkaListenerContainerFactory<Object, Object> own(
                ConsumerFactory<Object, Object> consumers, Journal journal) {
            ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            factory.setConsumerFactory(consumers);
            factory.getContainerProperties().setAckMode(AckMode.MANUAL);
            DefaultErrorHandler handler = new DefaultErrorHandler(
                    (record, failure) -> journal.write("recovered " + record.value()), new FixedBackOff(0, 0));
            handler.setCommitRecovered(true);
            factory.setCommonErrorHandler(handler);
            factory.setRecordInterceptor((record, consumer) -> {
                journal.write("intercepted " + record.value());
                return record;
            });
            return factory;
        }

        @Bean
        static KafkaListenerConfigurer ownHandlerMethods() {
            DefaultMessageHandlerMethodFactory factory = new DefaultMessageHandlerMethodFactory();
            factory.setCustomArgumentResolvers(List.of(new ContextArgumentResolver()));
            factory.setValidator(new Refusing());
            factory.afterPropertiesSet();
            return registrar -> registrar.setMessageHandlerMethodFactory(factory);
        }
    }

    @Test
    void aBatchInterceptorSeesEveryBatchFirst() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(Batches.class).start()) {
            application.send("k1", "one");
            await().until(() -> application.committed() == 1);
            application.send("k1", "one");
            await().until(() -> application.committed() == 2);

            assertThat(application.journal().entries()).containsExactly("intercepted 1", "ran [one]", "intercepted 1");
        }
    }

    static class Batches {

        private final Journal journal;

        Batches(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "batches", idIsGroup = false, topics = "${test.topic}", batch = "true")
        @IdempotentListener(scope = "batches")
        void on(List<String> bodies) {
            journal.write("ran " + bodies);
        }

        @Bean
        static BatchInterceptor<Object, Object> interceptor(Journal journal) {
            return (records, consumer) -> {
                journal.write("intercepted " + records.count());
                return records;
            };
        }
    }

    private static final class Refusing implements Validator {

        @Override
        public boolean supports(Class<?> type) {
            return true;
        }

        @Override
        public void validate(Object body, Errors errors) {
            if (body.equals("refused")) {
                errors.reject("refused");
            }
        }
    }
}
