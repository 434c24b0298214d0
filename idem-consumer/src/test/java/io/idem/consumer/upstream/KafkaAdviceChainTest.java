package io.idem.consumer.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/**
 * spring-kafka 4.1.1: with any advice in {@code ContainerProperties.adviceChain}, the failed future of an asynchronous listener
 * is logged and acknowledged; the container's error handler never hears of it. These tests assert what happens today; the first
 * turns red when the container finds the adapter behind the proxy.
 */
@Tag("extended")
class KafkaAdviceChainTest {

    private final PlainKafka kafka = new PlainKafka();

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
            ConcurrentKafkaListenerContainerFactory<String, String> factory = PlainKafka.factory(
                    new DefaultErrorHandler((record, failure) -> recovered.incrementAndGet(), new FixedBackOff(0, 1)));
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
        return kafka.start(List.of("one"), sources);
    }

    @Test
    void withAnAdviceTheErrorHandlerNeverHearsOfAFailedFutureAndTheRecordIsLost() throws Exception {
        try (AnnotationConfigApplicationContext context = start(Application.class, Advised.class)) {
            await().until(() -> kafka.committed() == 1);
            Application application = context.getBean(Application.class);
            await().during(Duration.ofSeconds(1))
                    .until(() -> application.called().get() == 1);

            assertThat(application.recovered()).as("expected: 1, after a retry").hasValue(0);
        }
    }

    @Test
    void withoutOneItIsTriedAgainAndRecovered() throws Exception {
        try (AnnotationConfigApplicationContext context = start(Application.class)) {
            Application application = context.getBean(Application.class);

            await().until(() -> application.recovered().get() == 1);
            assertThat(application.called()).hasValue(2);
        }
    }
}
