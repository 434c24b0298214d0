package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.StoredResult;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.kafka.ContainerTransactionTest.Recovered;
import io.idem.consumer.kafka.ContainerTransactionTest.Transacted;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.TimeoutException;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaProducerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/** How a container's transaction of Kafka may end, and what that does to the key. */
@Tag("servers")
class TransactionEndTest {

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofMinutes(2));
    }

    private static KafkaTestApplication start(String lease) {
        return KafkaTestApplication.with(Transacted.class, Recovered.class, Ends.class, Producers.class)
                .set("spring.kafka.producer.transaction-id-prefix", "tx-" + UUID.randomUUID() + "-")
                .set("idem.lease", lease)
                .start();
    }

    private static RecordState state(KafkaTestApplication application, String key) {
        return application.store().look(key, SCOPE).orElseThrow().state();
    }

    @Test
    void nothingIsCommittedBeforeWhatWasPublishedIsConfirmed() {
        try (KafkaTestApplication application = start("30s");
                PublishedRecords published = new PublishedRecords()) {
            Producers producers = application.bean(Producers.class);
            List<String> ends = application.bean(Ends.class).seen();
            application.bean(Transacted.class).does(record -> publish(application, published.topic()));

            application.send("k1", "one");
            await().until(() -> producers.unconfirmed() == 1);
            await().during(Duration.ofMillis(500)).until(ends::isEmpty);
            assertThat(application.store().completions()).isEmpty();
            producers.confirm();

            await().until(() -> application.committed() == 1 && state(application, "k1") == RecordState.COMPLETED);
            assertThat(ends).containsExactly("commit");
        }
    }

    @Test
    void hopelessWorkIsRolledBackAndItsRedeliveryIsRecoveredWithoutRunning() {
        try (KafkaTestApplication application = start("30s")) {
            application.bean(Transacted.class).does(record -> {
                throw new IllegalArgumentException("no such account");
            });

            application.send("k1", "one");

            await().until(() -> application.bean(Recovered.class).bodies().equals(List.of("one")));
            assertThat(application.journal().entries()).containsExactly("one");
            assertThat(application.bean(Ends.class).seen())
                    .startsWith("rollback")
                    .doesNotContain("commit");
            assertThat(application.store().completions()).isEmpty();
            assertThat(state(application, "k1")).isEqualTo(RecordState.REJECTED);
        }
    }

    @Test
    void afterACommitThatWasNotAnsweredTheKeyIsKeptUntilItsLeaseLapses() {
        try (KafkaTestApplication application = start("30s")) {
            List<Boolean> takeovers = new CopyOnWriteArrayList<>();
            application.bean(Transacted.class).does(record -> {
                takeovers.add(IdempotencyContext.current().orElseThrow().takeover());
                if (takeovers.size() == 1) {
                    application.bean(Producers.class).loseNextAnswer();
                }
            });

            application.send("k1", "one");
            await().until(() ->
                    !application.journal().events(ConsumerEvent.Deferred.class).isEmpty());
            assertThat(state(application, "k1")).isEqualTo(RecordState.PENDING);
            assertThat(takeovers).containsExactly(false);
            application.store().letLeasesLapse();

            await().until(() -> state(application, "k1") == RecordState.COMPLETED);
            assertThat(takeovers).containsExactly(false, true);
        }
    }

    @Test
    void workWhoseLeaseIsLostIsNotCommitted() {
        try (KafkaTestApplication application = start("600ms")) {
            application.bean(Transacted.class).does(record -> {
                application.store().letLeasesLapse();
                Lease otherOwner = application.store().occupy("k1", SCOPE, Duration.ofMinutes(5));
                IdempotencyContext own = IdempotencyContext.current().orElseThrow();
                await().until(() -> !own.stillOwner());
                application.store().complete(otherOwner, StoredResult.NONE);
            });

            application.send("k1", "one");

            await().until(() -> application.committed() == 1);
            // The offset is committed a moment before the transaction manager tells of it.
            await().untilAsserted(() ->
                    assertThat(application.bean(Ends.class).seen()).containsExactly("rollback", "commit"));
            assertThat(application.journal().entries()).containsExactly("one");
        }
    }

    private static void publish(KafkaTestApplication application, String topic) {
        @SuppressWarnings("unchecked")
        KafkaTemplate<String, String> template = application.bean(KafkaTemplate.class);
        var unconfirmed = template.send(topic, "published");
        assertThat(unconfirmed).isNotNull();
    }

    /** Of the container's transactions, in their order. */
    static class Ends implements TransactionExecutionListener {

        private final List<String> seen = new CopyOnWriteArrayList<>();

        Ends(KafkaTransactionManager<?, ?> manager) {
            manager.addListener(this);
        }

        List<String> seen() {
            return seen;
        }

        @Override
        public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
            seen.add(failure == null ? "commit" : "failed commit");
        }

        @Override
        public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
            seen.add("rollback");
        }
    }

    /** Real ones, whose answers to sends are late and whose answer to a commit gets lost if a test says so. */
    static class Producers {

        private final List<Runnable> unconfirmed = new CopyOnWriteArrayList<>();
        private final AtomicBoolean answerLost = new AtomicBoolean();

        int unconfirmed() {
            return unconfirmed.size();
        }

        void confirm() {
            unconfirmed.forEach(Runnable::run);
        }

        void loseNextAnswer() {
            answerLost.set(true);
        }

        @Bean
        DefaultKafkaProducerFactoryCustomizer answers() {
            return factory -> factory.addPostProcessor(real -> around(real));
        }

        @SuppressWarnings("unchecked")
        private <K, V> Producer<K, V> around(Producer<K, V> real) {
            return (Producer<K, V>) Proxy.newProxyInstance(
                    Producer.class.getClassLoader(),
                    new Class<?>[] {Producer.class},
                    (proxy, method, arguments) -> call(real, method, arguments));
        }

        private @Nullable Object call(Producer<?, ?> real, Method method, Object @Nullable [] arguments)
                throws Throwable {
            if (arguments != null && arguments.length == 2 && arguments[1] instanceof Callback callback) {
                arguments[1] =
                        (Callback) (sent, failure) -> unconfirmed.add(() -> callback.onCompletion(sent, failure));
            }
            Object answer = answer(real, method, arguments);
            if (method.getName().equals("commitTransaction") && answerLost.getAndSet(false)) {
                throw new TimeoutException("The test has lost the answer to the commit");
            }
            return answer;
        }

        private static @Nullable Object answer(Producer<?, ?> real, Method method, Object @Nullable [] arguments)
                throws Throwable {
            try {
                return method.invoke(real, arguments);
            } catch (InvocationTargetException failed) {
                throw failed.getCause();
            }
        }
    }
}
