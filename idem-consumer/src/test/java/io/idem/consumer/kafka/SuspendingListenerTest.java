package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.suspending.SuspendedWork;
import io.idem.consumer.suspending.SuspendingKafkaListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/** Kotlin functions that suspend. */
@Tag("extended")
class SuspendingListenerTest {

    private static final Duration TIME_LIMIT = Duration.ofMinutes(2);

    private static ConditionFactory await() {
        return Awaitility.await().atMost(TIME_LIMIT);
    }

    private static RecordState state(KafkaTestApplication application, String key) {
        return application.store().look(key, SCOPE).orElseThrow().state();
    }

    @Test
    void anOffsetIsCommittedAfterItsCoroutineAndADuplicateDoesNotRun() {
        try (KafkaTestApplication application = start()) {
            CountDownLatch go = new CountDownLatch(1);
            List<Long> committedBefore = new CopyOnWriteArrayList<>();
            application.store().beforeComplete(() -> committedBefore.add(application.committed()));
            application.bean(Work.class).does((body, context) -> hold(go));

            application.send("k1", "one");
            await().until(() -> application.bean(Work.class).bodies().equals(List.of("one")));
            assertThat(state(application, "k1")).isEqualTo(RecordState.PENDING);
            go.countDown();
            await().until(() -> application.committed() == 1);
            application.send("k1", "again");

            await().until(() -> application.committed() == 2);
            assertThat(committedBefore).containsExactly(-1L);
            assertThat(application.bean(Work.class).bodies()).containsExactly("one");
            assertThat(application.journal().events(ConsumerEvent.Duplicate.class))
                    .hasSize(1);
        }
    }

    @Test
    void aCoroutineThatFailsGivesTheKeyBackAndIsTriedAgainAsItsContainerSays() {
        try (KafkaTestApplication application = start()) {
            List<Integer> attempts = new CopyOnWriteArrayList<>();
            application.bean(Work.class).does((body, context) -> {
                attempts.add(context.attempt());
                return failIf(body.equals("bad") || attempts.size() == 1);
            });

            application.send("good", "good");
            application.send("bad", "bad");

            await().until(() -> application.bean(Work.class).recovered().equals(List.of("bad")));
            await().until(() -> application.committed() == 2);
            assertThat(state(application, "good")).isEqualTo(RecordState.COMPLETED);
            assertThat(state(application, "bad")).isEqualTo(RecordState.FAILED);
            assertThat(attempts).startsWith(1).contains(2, 3);
        }
    }

    @Test
    void aRecordInProgressStartsNoCoroutineAndIsNeitherLostNorRecovered() {
        try (KafkaTestApplication application = start()) {
            Lease otherOwner = application.store().occupy("k1", SCOPE, Duration.ofMinutes(5));
            application.send("k1", "one");
            application.send("k2", "two");
            await().until(() ->
                    application.journal().events(ConsumerEvent.Deferred.class).size() >= 5);
            assertThat(application.bean(Work.class).bodies()).doesNotContain("one");
            application.store().fail(otherOwner, Duration.ZERO);

            await().until(() -> application.committed() == 2);
            assertThat(application.bean(Work.class).bodies()).containsExactly("one", "two");
            assertThat(application.bean(Work.class).recovered()).isEmpty();
        }
    }

    private static KafkaTestApplication start() {
        return KafkaTestApplication.with(SuspendingKafkaListener.class, Work.class)
                .start();
    }

    private static String hold(CountDownLatch go) throws InterruptedException {
        assertThat(go.await(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return "held";
    }

    private static String failIf(boolean bad) {
        if (bad) {
            throw new IllegalStateException("the test lets it fail");
        }
        return "done";
    }

    /** Does what the test of the moment tells it; the application's error handler retries twice, then takes note. */
    static class Work implements SuspendedWork {

        private final List<String> bodies = new CopyOnWriteArrayList<>();
        private final List<String> recovered = new CopyOnWriteArrayList<>();
        private volatile SuspendedWork told = (body, context) -> "done";

        void does(SuspendedWork what) {
            told = what;
        }

        List<String> bodies() {
            return bodies;
        }

        List<String> recovered() {
            return recovered;
        }

        @Override
        public String on(String body, IdempotencyContext context) throws Exception {
            bodies.add(body);
            return told.on(body, context);
        }

        @Bean
        DefaultErrorHandler errorHandler() {
            return new DefaultErrorHandler(
                    (record, failure) -> recovered.add(String.valueOf(record.value())), new FixedBackOff(10, 3));
        }
    }
}
