package io.idem.consumer.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.servers.SharedServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.MapPropertySource;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/**
 * spring-kafka 4.1.1: with any advice in {@code ContainerProperties.adviceChain}, the failed future of an asynchronous listener
 * is logged and acknowledged; the container's error handler never hears of it. These tests assert what happens today; the first
 * turns red when the container finds the adapter behind the proxy.
 */
class KafkaAdviceChainTest {

    private static final Map<String, Object> SERVERS =
            Map.of("bootstrap.servers", SharedServers.kafka().bootstrapServers());

    private final String topic = "upstream-" + UUID.randomUUID();

    @EnableKafka
    static class Application {

        private final AtomicInteger called = new AtomicInteger();
        private final AtomicInteger recovered = new AtomicInteger();

        @KafkaListener(topics = "${topic}", groupId = "${topic}")
        CompletableFuture<Void> on(String body) {
            called.incrementAndGet();
            return CompletableFuture.failedFuture(new IllegalStateException("failed " + body));
        }

        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory(
                ObjectProvider<Advice> advices) {
            ConcurrentKafkaListenerContainerFactory<String, String> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(
                    Map.of(
                            "bootstrap.servers",
                            SharedServers.kafka().bootstrapServers(),
                            "auto.offset.reset",
                            "earliest"),
                    new StringDeserializer(),
                    new StringDeserializer()));
            factory.setCommonErrorHandler(
                    new DefaultErrorHandler((record, failure) -> recovered.incrementAndGet(), new FixedBackOff(0, 1)));
            factory.getContainerProperties().setPollTimeout(100);
            factory.getContainerProperties().setAdviceChain(advices.stream().toArray(Advice[]::new));
            return factory;
        }

        AtomicInteger called() {
            return called;
        }

        AtomicInteger recovered() {
            return recovered;
        }
    }

    /** Does nothing but be there. */
    static class Advised {

        @Bean
        Advice nothing() {
            return (MethodInterceptor) invocation -> invocation.proceed();
        }
    }

    private AnnotationConfigApplicationContext start(Class<?>... sources) throws Exception {
        try (Admin admin = Admin.create(SERVERS);
                KafkaProducer<String, String> producer =
                        new KafkaProducer<>(SERVERS, new StringSerializer(), new StringSerializer())) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
            producer.send(new ProducerRecord<>(topic, "one")).get();
        }
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", Map.of("topic", topic)));
        context.register(sources);
        context.refresh();
        return context;
    }

    private long committed() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(SERVERS)) {
            OffsetAndMetadata offset = admin.listConsumerGroupOffsets(topic)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(new TopicPartition(topic, 0));
            return offset == null ? 0 : offset.offset();
        }
    }

    @Test
    void with_an_advice_the_error_handler_never_hears_of_a_failed_future_and_the_record_is_lost() throws Exception {
        try (AnnotationConfigApplicationContext context = start(Application.class, Advised.class)) {
            await().until(() -> committed() == 1);
            Application application = context.getBean(Application.class);
            await().during(Duration.ofSeconds(1))
                    .until(() -> application.called().get() == 1);

            assertThat(application.recovered()).as("expected: 1, after a retry").hasValue(0);
        }
    }

    @Test
    void without_one_it_is_tried_again_and_recovered() throws Exception {
        try (AnnotationConfigApplicationContext context = start(Application.class)) {
            Application application = context.getBean(Application.class);

            await().until(() -> application.recovered().get() == 1);
            assertThat(application.called()).hasValue(2);
        }
    }
}
