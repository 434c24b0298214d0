package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.StageEnd;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.kafka.annotation.KafkaListener;
import reactor.core.publisher.Mono;

/** Stages that end by a timeout or a cancellation while their work goes on. */
@Tag("extended")
class OpenStageTest {

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofMinutes(3));
    }

    @ParameterizedTest
    @EnumSource
    void workWithAStageThatEndsEarlyRunsOnceAndIsTakenOverAfterItsLease(StageEnd end) {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        EndingEarly.class, AsyncListenerTest.Recovered.class)
                .start()) {
            application.bean(EndingEarly.class).ends(end);
            assertRunsOnceWhileTheLeaseLasts(application);
            application.store().letLeasesLapse();
            assertIsTakenOver(application);
        }
    }

    @Test
    void workWithAMonoThatTimesOutRunsOnceAndIsTakenOverAfterItsLease() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        EndingMono.class, AsyncListenerTest.Recovered.class)
                .start()) {
            assertRunsOnceWhileTheLeaseLasts(application);
            application.store().letLeasesLapse();
            assertIsTakenOver(application);
        }
    }

    @Test
    void workWhoseStageTimedOutIsRejectedAfterItsLeaseIfTakeoversAre() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        EndingEarly.class, AsyncListenerTest.Recovered.class)
                .set("idem.takeover", "reject")
                .start()) {
            assertRunsOnceWhileTheLeaseLasts(application);
            application.store().letLeasesLapse();

            await().until(() ->
                    application.bean(AsyncListenerTest.Recovered.class).bodies.equals(List.of("one")));
            await().until(() -> application.committed() == 1);
            assertThat(application.journal().entries()).containsExactly("one, attempt 1");
            assertThat(state(application)).isEqualTo(RecordState.REJECTED);
        }
    }

    private static void assertRunsOnceWhileTheLeaseLasts(KafkaTestApplication application) {
        application.send("k1", "one");
        await().until(() ->
                application.journal().events(ConsumerEvent.Deferred.class).size() >= 3);
        assertThat(application.journal().entries()).containsExactly("one, attempt 1");
        assertThat(state(application)).isEqualTo(RecordState.PENDING);
        assertThat(application.committed()).isEqualTo(-1);
        assertThat(application.bean(AsyncListenerTest.Recovered.class).bodies).isEmpty();
    }

    private static void assertIsTakenOver(KafkaTestApplication application) {
        await().until(() -> application.committed() == 1);
        assertThat(application.journal().entries()).containsExactly("one, attempt 1", "one, attempt 2, takeover");
        assertThat(state(application)).isEqualTo(RecordState.COMPLETED);
        assertThat(application.bean(AsyncListenerTest.Recovered.class).bodies).isEmpty();
    }

    private static RecordState state(KafkaTestApplication application) {
        return application.store().look("k1", SCOPE).orElseThrow().state();
    }

    private static void write(KafkaTestApplication.Journal journal, String body, IdempotencyContext context) {
        journal.write(body + ", attempt " + context.attempt() + (context.takeover() ? ", takeover" : ""));
    }

    /** Whatever its policy says of failures, the work of a first attempt never ends, and its stage does. */
    static class EndingEarly {

        private final KafkaTestApplication.Journal journal;
        private volatile StageEnd end = StageEnd.TIMEOUT;

        EndingEarly(KafkaTestApplication.Journal journal) {
            this.journal = journal;
        }

        void ends(StageEnd by) {
            end = by;
        }

        @KafkaListener(id = "ending", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE, rejectOn = Exception.class)
        CompletableFuture<Void> on(String body, IdempotencyContext context) {
            write(journal, body, context);
            return context.takeover() ? CompletableFuture.completedFuture(null) : end.of(new CompletableFuture<>());
        }
    }

    /** The same for a Mono. */
    static class EndingMono {

        private final KafkaTestApplication.Journal journal;

        EndingMono(KafkaTestApplication.Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "ending", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE)
        Mono<Void> on(String body, IdempotencyContext context) {
            write(journal, body, context);
            return context.takeover() ? Mono.empty() : Mono.<Void>never().timeout(Duration.ofMillis(50));
        }
    }
}
