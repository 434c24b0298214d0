package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static io.idem.consumer.kafka.StoppedListeners.ID;
import static io.idem.consumer.kafka.StoppedListeners.assertStoppedBecause;
import static io.idem.consumer.kafka.StoppedListeners.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Lease;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.delivery.ListenerStops;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import io.idem.consumer.kafka.StoppedListeners.GivingUp;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.BackOff;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;

/** Advices that an application gives its containers stand behind the delivery hook. */
@Tag("extended")
class KafkaAdvicesTest {

    static class Single {

        private final Journal journal;

        Single(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = ID, idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE)
        void pay(String body) {
            work(journal, body);
        }
    }

    static class Batch {

        private final Journal journal;

        Batch(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = ID, idIsGroup = false, topics = "${test.topic}", batch = "true")
        @IdempotentListener(scope = SCOPE)
        void pay(List<String> bodies) {
            bodies.forEach(body -> work(journal, body));
        }
    }

    static class Future {

        private final Journal journal;

        Future(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = ID, idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE)
        CompletableFuture<Void> pay(String body) {
            return CompletableFuture.runAsync(() -> work(journal, body));
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
        CompletableFuture<Void> pay(String body) {
            return CompletableFuture.runAsync(() -> work(journal, body));
        }
    }

    private static void work(Journal journal, String body) {
        journal.write(body);
        if (body.equals("fail")) {
            throw new IllegalStateException("card refused");
        }
    }

    private record SwallowingEverything(Journal journal) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation call) throws Throwable {
            if (call.getMethod().getDeclaringClass() == Object.class) {
                return call.proceed();
            }
            try {
                return call.proceed();
            } catch (Exception failure) {
                journal.write("swallowed");
                return null;
            }
        }
    }

    static class Advised {

        @Bean
        ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>> advising(
                Journal journal) {
            return container -> container.getContainerProperties().setAdviceChain(new SwallowingEverything(journal));
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Single.class, Batch.class, Future.class, Retried.class})
    void anAdviceThatSwallowsEveryExceptionSwallowsNoDeferral(Class<?> listener) {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(listener, Advised.class).start()) {
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
    }

    @ParameterizedTest
    @ValueSource(classes = {Single.class, Batch.class})
    void anAdviceMayTakeAFailureOver(Class<?> listener) {
        try (KafkaTestApplication application = KafkaTestApplication.with(listener, Advised.class, GivingUp.class)
                .start()) {
            application.send("k1", "fail");

            await().until(() -> application.committed() == 1);
            assertThat(application.journal().entries()).containsExactly("fail", "swallowed");
            assertThat(application.store().look("k1", SCOPE).orElseThrow().state())
                    .isEqualTo(RecordState.FAILED);
            assertThat(application.bean(ListenerStops.class).reasons()).isEmpty();
        }
    }

    /** Without idem, spring-kafka 4.1.1 acknowledges it (docs/reports/upstream.md). */
    @Test
    void theErrorHandlerHearsOfAFailedFutureBehindAnAdvice() {
        try (KafkaTestApplication application = KafkaTestApplication.with(Future.class, Advised.class, GivingUp.class)
                .start()) {
            application.send("k1", "fail");

            await().untilAsserted(() ->
                    assertThat(application.journal().entries()).containsExactly("fail", "recovered fail"));
            await().until(() -> application.committed() == 1);
        }
    }

    static class Ending {

        @Bean
        ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>> advising() {
            return container -> container.getContainerProperties().setAdviceChain((MethodInterceptor)
                    call -> call.getMethod().getName().equals("onMessage") ? null : call.proceed());
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Single.class, Batch.class, Future.class})
    void anAdviceThatDoesNotCallTheListenerStopsTheContainer(Class<?> listener) {
        try (KafkaTestApplication application = KafkaTestApplication.with(listener, Ending.class, GivingUp.class)
                .start()) {
            application.send("k1", "one");

            assertStoppedBecause(application, listener.getSimpleName() + ".pay was not called for a message");
            assertThat(application.committed()).isEqualTo(-1);
            assertThat(application.journal().entries()).isEmpty();
        }
    }

    static class NamedProxies {

        @Bean
        static BeanNameAutoProxyCreator namedProxies() {
            BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
            creator.setBeanNames("kafkaListenerContainerFactory", "*EndpointRegistry");
            creator.setInterceptorNames("nothing");
            creator.setProxyTargetClass(true);
            return creator;
        }

        @Bean
        static MethodInterceptor nothing() {
            return MethodInvocation::proceed;
        }
    }

    @Test
    void factoriesAndRegistriesMayBeProxiedByTheirNames() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(Single.class, NamedProxies.class).start()) {
            application.send("k1", "one");
            application.send("k1", "one");

            await().until(() -> application.committed() == 2);
            assertThat(application.journal().entries()).containsExactly("one");
        }
    }
}
