package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.idem.Inbox;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.apache.kafka.common.serialization.Deserializer;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.ShareKafkaListenerContainerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultShareConsumerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.listener.ContainerProperties.ShareAckMode;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.listener.adapter.DefaultBatchToRecordAdapter;
import org.springframework.kafka.support.TopicPartitionOffset;
import org.springframework.kafka.support.serializer.ErrorHandlingDeserializer;

/** What could lose messages, or cannot be hooked into, does not start. */
@Tag("servers")
class RefusedListenerTest {

    @Test
    void offsetsCommittedByTheClient() {
        ListenerConfigurationException refusal = refusal(
                KafkaTestApplication.with(Listeners.Plain.class).set("spring.kafka.consumer.enable-auto-commit", true));

        assertThat(refusal.problem()).contains("Plain.on", "\"plain\"", "enable.auto.commit=true");
        assertThat(refusal.action()).contains("spring.kafka.consumer.enable-auto-commit=false");
    }

    @Test
    void offsetsCommittedByTheClientOfOneListener() {
        assertThat(refusal(KafkaTestApplication.with(AutoCommitting.class)).problem())
                .contains("AutoCommitting.on", "enable.auto.commit=true");
    }

    @Test
    void offsetsCommittedByTheClientHoweverTheSettingIsWritten() {
        assertThat(refusal(KafkaTestApplication.with(AutoCommittingInOtherWords.class))
                        .problem())
                .contains("AutoCommittingInOtherWords.on", "enable.auto.commit=true");
    }

    private static KafkaTestApplication.Builder publishingLetters(Class<?>... sources) {
        return KafkaTestApplication.with(sources).set("idem.consumer.kafka.dead-letter.topic-suffix", "-dlt");
    }

    @Test
    void bytesThatItsDeserializerHasMadeWhereTheyWouldBeItsDeadLetters() {
        ListenerConfigurationException refusal = refusal(publishingLetters(Listeners.Plain.class)
                .set("spring.kafka.consumer.value-deserializer", Decrypting.class.getName()));

        assertThat(refusal.problem()).contains("Plain.on", "Decrypting", "dead-letter.topic-suffix");
        assertThat(refusal.action()).contains("RecordMessageConverter");
    }

    @Test
    void bytesThatTheDelegateOfItsDeserializerHasMade() {
        assertThat(refusal(publishingLetters(Listeners.Plain.class)
                                .set(
                                        "spring.kafka.consumer.value-deserializer",
                                        ErrorHandlingDeserializer.class.getName())
                                .set(
                                        "spring.kafka.consumer.properties."
                                                + ErrorHandlingDeserializer.VALUE_DESERIALIZER_CLASS,
                                        Decrypting.class.getName()))
                        .problem())
                .contains("Plain.on", "Decrypting");
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void anInterceptorBeforeDeadLettersIsAWarning(CapturedOutput output) {
        try (KafkaTestApplication application =
                publishingLetters(Listeners.Plain.class, Intercepting.class).start()) {
            assertThat(application.topic()).isNotEmpty();
            assertThat(output).contains("Plain.on", "has an interceptor in its container");
        }
    }

    @Test
    void deadLettersOnOtherBrokersThanThoseOfTheListener() {
        ListenerConfigurationException refusal = refusal(publishingLetters(Listeners.Plain.class)
                .set("spring.kafka.producer.bootstrap-servers", "localhost:1"));

        assertThat(refusal.problem()).contains("Plain.on", "dead-letter.topic-suffix", "localhost:1");
    }

    @Test
    void deadLettersOfSeveralTemplatesWithoutAPrimaryOne() {
        ListenerConfigurationException refusal = refusal(publishingLetters(Listeners.Plain.class, TwoTemplates.class));

        assertThat(refusal.problem()).contains("dead-letter.topic-suffix", "several");
        assertThat(refusal.action()).contains("@Primary");
    }

    static class TwoTemplates {

        @Bean
        KafkaTemplate<Object, Object> one(ProducerFactory<Object, Object> producers) {
            return new KafkaTemplate<>(producers);
        }

        @Bean
        KafkaTemplate<Object, Object> two(ProducerFactory<Object, Object> producers) {
            return new KafkaTemplate<>(producers);
        }
    }

    static class Intercepting {

        @Bean
        RecordInterceptor<Object, Object> decrypting() {
            return (record, consumer) -> record;
        }
    }

    /** Makes other bytes of those that came. */
    public static final class Decrypting implements Deserializer<byte[]> {

        @Override
        public byte[] deserialize(String topic, byte[] data) {
            return data.clone();
        }
    }

    @Test
    void batchesWhoseResultWouldBelongToNoMessage() {
        assertThat(refusal(KafkaTestApplication.with(Batch.class)).problem())
                .contains("Batch.on", "gets batches and returns String");
    }

    @Test
    void batchesOnAClass() {
        assertThat(refusal(KafkaTestApplication.with(BatchOnAClass.class)).problem())
                .contains("BatchOnAClass", "is a batch listener on a class");
    }

    @Test
    void batchesThatAreTakenApart() {
        assertThat(refusal(KafkaTestApplication.with(TakenApart.class, TakingApart.class))
                        .problem())
                .contains("TakenApart.on", "BatchToRecordAdapter");
    }

    @Test
    void batchesInTransactions() {
        assertThat(refusal(KafkaTestApplication.with(BatchListenersOfTests.Plain.class)
                                .set("spring.kafka.producer.transaction-id-prefix", "tx-"))
                        .problem())
                .contains("Plain.on", "batches inside transactions of its container");
    }

    @Test
    void anInboxInTransactionsOfTheContainer() {
        ListenerConfigurationException refusal = refusal(
                KafkaTestApplication.with(WithInbox.class).set("spring.kafka.producer.transaction-id-prefix", "tx-"));

        assertThat(refusal.problem()).contains("WithInbox.on", "inbox", "transaction of its container");
        assertThat(refusal.action()).contains("transaction-id-prefix");
    }

    @Test
    void batchesThatAreAcknowledgedOutOfOrder() {
        assertThat(refusal(KafkaTestApplication.with(BatchListenersOfTests.Manual.class)
                                .set("spring.kafka.listener.ack-mode", "manual")
                                .set("spring.kafka.listener.async-acks", true))
                        .problem())
                .contains("Manual.on", "asyncAcks");
    }

    @Test
    void asynchronousAcknowledgements() {
        assertThat(refusal(KafkaTestApplication.with(Listeners.Manual.class)
                                .set("spring.kafka.listener.ack-mode", "manual")
                                .set("spring.kafka.listener.async-acks", true))
                        .problem())
                .contains("Manual.on", "asyncAcks");
    }

    @Test
    void asyncListenersInTransactionsOfTheirContainer() {
        ListenerConfigurationException refusal = refusal(KafkaTestApplication.with(AsyncListenerTest.Reactive.class)
                .set("spring.kafka.producer.transaction-id-prefix", "tx-"));

        assertThat(refusal.problem()).contains("Reactive.on", "after its return");
        assertThat(refusal.action()).contains("transaction-id-prefix");
    }

    @Test
    void asyncListenersWhoseErrorHandlerKeepsFailedRecordsInMemory() {
        assertThat(refusal(KafkaTestApplication.with(AsyncListenerTest.Reactive.class, KeepingInMemory.class))
                        .problem())
                .contains("Reactive.on", "seekAfterError=false");
    }

    @Test
    void asyncListenersWhoseErrorHandlerLeavesRecoveredRecordsUnacknowledged() {
        assertThat(refusal(KafkaTestApplication.with(AsyncListenerTest.Reactive.class, Unacknowledging.class))
                        .problem())
                .contains("Reactive.on", "ackAfterHandle=false");
    }

    @Test
    void aBackoffTogetherWithRetryTopics() {
        ListenerConfigurationException refusal = refusal(KafkaTestApplication.with(Retryable.class)
                .set("idem.backoff.first", "1s")
                .set("idem.max-attempts", 3));

        assertThat(refusal.problem()).contains("Retryable.on", "backoff", "retry topics");
        assertThat(refusal.action()).contains("@RetryableTopic");
    }

    @Test
    void shareGroupsThatAcceptWhateverHappens() {
        ListenerConfigurationException refusal =
                refusal(KafkaTestApplication.with(Share.class, ImplicitShareFactory.class));

        assertThat(refusal.problem()).contains("Share.on", "share group", "acknowledges implicitly");
        assertThat(refusal.action()).contains("ShareAckMode.EXPLICIT");
    }

    @Test
    void containersOfAnotherKind() {
        ListenerConfigurationException refusal = refusal(KafkaTestApplication.with(Share.class, HandMade.class));

        assertThat(refusal.problem()).contains("Share.on", "cannot hook into");
        assertThat(refusal.action()).contains("ConcurrentKafkaListenerContainerFactory");
    }

    @Test
    void shareGroupsWithResultsThatComeLater() {
        assertThat(refusal(KafkaTestApplication.with(AsynchronousShare.class, ShareFactory.class))
                        .problem())
                .contains("AsynchronousShare.on", "returns");
    }

    @Test
    void aPropagatingTemplateThatIsSatisfiedWithOneBroker() {
        ListenerConfigurationException refusal =
                refusal(KafkaTestApplication.with(Listeners.Plain.class).set("spring.kafka.producer.acks", "1"));

        assertThat(refusal.problem()).contains("PropagatingKafkaTemplate", "acks=1");
        assertThat(refusal.action()).contains("spring.kafka.producer.acks=all");
    }

    @Test
    void aRedeliveryDelayThatWouldSpin() {
        assertThat(refusal(KafkaTestApplication.with(Listeners.Plain.class)
                                .set("idem.consumer.kafka.redelivery-delay", "0"))
                        .problem())
                .contains("idem.consumer.kafka.redelivery-delay PT0S");
    }

    private static ListenerConfigurationException refusal(KafkaTestApplication.Builder application) {
        Throwable failure = Assertions.catchThrowable(() -> application.start().close());
        assertThat(failure).as("starting").isNotNull();
        Throwable cause = failure;
        while (cause != null && !(cause instanceof ListenerConfigurationException)) {
            cause = cause.getCause();
        }
        return (ListenerConfigurationException)
                Objects.requireNonNull(cause, () -> "refused for another reason: " + failure);
    }

    static class AutoCommitting {

        @KafkaListener(topics = "${test.topic}", properties = "enable.auto.commit=true")
        @IdempotentListener(scope = "s")
        void on(String body) {}
    }

    static class AutoCommittingInOtherWords {

        @KafkaListener(topics = "${test.topic}", properties = "enable.auto.commit= TRUE ")
        @IdempotentListener(scope = "s")
        void on(String body) {}
    }

    static class WithInbox {

        @KafkaListener(topics = "${test.topic}", autoStartup = "false")
        @IdempotentListener(scope = "s", inbox = true)
        void on(String body) {}

        @Bean
        Inbox inbox() {
            Inbox inbox = mock(Inbox.class);
            when(inbox.retention()).thenReturn(Duration.ofDays(7));
            return inbox;
        }
    }

    static class Batch {

        @KafkaListener(topics = "${test.topic}", batch = "true")
        @IdempotentListener(scope = "s")
        String on(List<String> bodies) {
            return "";
        }
    }

    @KafkaListener(topics = "${test.topic}", batch = "true")
    static class BatchOnAClass {

        @KafkaHandler
        @IdempotentListener(scope = "s")
        void on(List<String> bodies) {}
    }

    static class TakenApart {

        @KafkaListener(topics = "${test.topic}", batch = "true", containerFactory = "takingApart")
        @IdempotentListener(scope = "s")
        void on(String body) {}
    }

    static class TakingApart {

        @Bean
        ConcurrentKafkaListenerContainerFactory<Object, Object> takingApart(ConsumerFactory<Object, Object> consumers) {
            ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            factory.setConsumerFactory(consumers);
            factory.setBatchToRecordAdapter(new DefaultBatchToRecordAdapter<>());
            return factory;
        }
    }

    static class Retryable {

        @RetryableTopic
        @KafkaListener(topics = "${test.topic}")
        @IdempotentListener(scope = "s")
        void on(String body) {}
    }

    static class ShareFactory {

        @Bean
        ShareKafkaListenerContainerFactory<String, String> shares() {
            Map<String, Object> settings = Map.of("bootstrap.servers", KafkaTestApplication.bootstrapServers());
            return new ShareKafkaListenerContainerFactory<>(new DefaultShareConsumerFactory<>(settings));
        }
    }

    static class ImplicitShareFactory extends ShareFactory {

        @Bean
        @Override
        ShareKafkaListenerContainerFactory<String, String> shares() {
            ShareKafkaListenerContainerFactory<String, String> factory = super.shares();
            factory.getContainerProperties().setShareAckMode(ShareAckMode.IMPLICIT);
            return factory;
        }
    }

    static class KeepingInMemory {

        @Bean
        DefaultErrorHandler errorHandler() {
            DefaultErrorHandler handler = new DefaultErrorHandler();
            handler.setSeekAfterError(false);
            return handler;
        }
    }

    static class Unacknowledging {

        @Bean
        DefaultErrorHandler errorHandler() {
            DefaultErrorHandler handler = new DefaultErrorHandler();
            handler.setAckAfterHandle(false);
            return handler;
        }
    }

    static class HandMade {

        /** Makes containers that are neither of Spring's. */
        private static final class Factory implements KafkaListenerContainerFactory<MessageListenerContainer> {

            @Override
            public MessageListenerContainer createListenerContainer(KafkaListenerEndpoint endpoint) {
                return (MessageListenerContainer) Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {MessageListenerContainer.class},
                        (proxy, method, arguments) -> null);
            }

            @Override
            public MessageListenerContainer createContainer(TopicPartitionOffset... partitions) {
                throw new UnsupportedOperationException();
            }

            @Override
            public MessageListenerContainer createContainer(String... topics) {
                throw new UnsupportedOperationException();
            }

            @Override
            public MessageListenerContainer createContainer(Pattern topics) {
                throw new UnsupportedOperationException();
            }
        }

        @Bean
        KafkaListenerContainerFactory<MessageListenerContainer> shares() {
            return new Factory();
        }
    }

    static class AsynchronousShare {

        @KafkaListener(topics = "${test.topic}", containerFactory = "shares")
        @IdempotentListener(scope = "s")
        CompletableFuture<String> on(String body) {
            return CompletableFuture.completedFuture(body);
        }
    }

    static class Share {

        @KafkaListener(topics = "${test.topic}", containerFactory = "shares")
        @IdempotentListener(scope = "s")
        void on(String body) {}
    }
}
