package io.idem.consumer.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.aopalliance.intercept.MethodInterceptor;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.WakeupException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.DefaultErrorHandler;

/**
 * spring-kafka 4.1.2: an acknowledgement from another thread wakes the consumer; while that is not polling, the wake-up strikes
 * the commit of this very acknowledgement, which is not repeated (spring-projects/spring-kafka#4622). Turns red with the version
 * that repeats it; then {@code CommitsDespiteWakeUps} of idem's own tests can go, too.
 */
@Tag("extended")
class KafkaWokenCommitTest {

    private final PlainKafka kafka = new PlainKafka();

    @Test
    void the_commit_that_a_wake_up_strikes_is_not_repeated() throws Exception {
        try (AnnotationConfigApplicationContext context = kafka.start(List.of("first", "second"), Application.class)) {
            Application application = context.getBean(Application.class);
            assertThat(application.atSecond.await(20, TimeUnit.SECONDS)).isTrue();

            application.first.complete(null);
            application.go.countDown();

            await().until(() -> !application.commits.isEmpty());
            await().during(Duration.ofSeconds(1)).until(() -> application.commits.equals(List.of("struck")));
        }
    }

    /** Its first record is done while the container's thread is at the second one, whose work never ends. */
    @EnableKafka
    static class Application {

        private final CompletableFuture<Void> first = new CompletableFuture<>();
        private final CountDownLatch atSecond = new CountDownLatch(1);
        private final CountDownLatch go = new CountDownLatch(1);
        private final List<String> commits = new CopyOnWriteArrayList<>();

        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory() {
            ConcurrentKafkaListenerContainerFactory<String, String> factory =
                    PlainKafka.factory(new DefaultErrorHandler());
            factory.getContainerProperties().setAckMode(AckMode.MANUAL_IMMEDIATE);
            @SuppressWarnings("unchecked")
            ConsumerFactory<String, String> consumers =
                    (ConsumerFactory<String, String>) Objects.requireNonNull(factory.getConsumerFactory());
            consumers.addPostProcessor(this::watched);
            return factory;
        }

        @SuppressWarnings("unchecked")
        private Consumer<String, String> watched(Consumer<String, String> consumer) {
            return (Consumer<String, String>) ProxyFactory.getProxy(Consumer.class, (MethodInterceptor) call -> {
                boolean commit = call.getMethod().getName().equals("commitSync");
                try {
                    Object answer = call.getMethod().invoke(consumer, call.getArguments());
                    note(commit, "done");
                    return answer;
                } catch (InvocationTargetException thrown) {
                    note(commit, thrown.getCause() instanceof WakeupException ? "struck" : "failed");
                    throw thrown.getCause();
                }
            });
        }

        private void note(boolean commit, String end) {
            if (commit) {
                commits.add(end);
            }
        }

        @KafkaListener(topics = "${topic}", groupId = "${topic}")
        CompletableFuture<Void> on(String body) throws InterruptedException {
            if (body.equals("first")) {
                return first;
            }
            atSecond.countDown();
            go.await();
            return new CompletableFuture<>();
        }
    }
}
