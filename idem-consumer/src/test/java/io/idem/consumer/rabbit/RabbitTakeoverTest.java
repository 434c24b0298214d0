package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.OwnerToken;
import io.idem.Reconciler;
import io.idem.Reconciliation;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.UnknownOutcome;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import io.idem.servers.SharedServers;
import io.idem.spi.IdempotencyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;

/** Policies of a scope, by settings, on a real broker and a real Redis. */
@Tag("extended")
class RabbitTakeoverTest extends RabbitScenario {

    private final String key = UUID.randomUUID().toString();

    private void launchWithRedis(Class<?> listeners, String... settings) {
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("test.store=redis");
        all.add("spring.data.redis.url=" + SharedServers.redis().uri());
        launch(listeners, all.toArray(String[]::new));
    }

    private IdempotencyStore redis() {
        return app().bean(IdempotencyStore.class);
    }

    private RecordSnapshot inRedis() {
        return redis().inspect(record(key)).orElseThrow();
    }

    private void anOwnerDies() {
        redis().acquire(new AcquireRequest(
                record(key),
                OwnerToken.random(new SecureRandom()),
                Duration.ofMillis(300),
                ExecutionPolicy.DEFAULT_RETENTION,
                Fingerprint.NONE,
                0,
                0));
    }

    @Test
    void aMessageOfUnknownOutcomeIsDeadLetteredAndRunsOnceReopened() {
        launchWithRedis(AutoListeners.class, "idem.scopes." + PAYMENTS + ".takeover=reject");
        anOwnerDies();

        send(key, "one");

        awaitUntil(() -> !app().deadLetters().isEmpty());
        assertThat(script().calls()).isEmpty();
        assertThat(inRedis().state()).isEqualTo(RecordState.REJECTED);
        assertThat(events(ConsumerEvent.DeadLettered.class))
                .singleElement()
                .satisfies(dead -> assertThat(dead.reason()).contains("attempt 1 is unknown"));

        redis().reopen(record(key), inRedis().fence(), ExecutionPolicy.DEFAULT_RETENTION);
        send(key, "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one");
    }

    @Test
    void aMessageThatAReconcilerKnowsToBeDoneIsAcknowledgedWithoutRunning() {
        launchWithRedis(AskingListeners.class, "idem.scopes." + PAYMENTS + ".takeover=reconcile");
        anOwnerDies();

        send(key, "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(script().calls()).isEmpty();
        assertThat(inRedis().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(app().bean(Questions.class).asked)
                .singleElement()
                .satisfies(
                        question -> assertThat(question.payload(String.class)).contains("one"));
    }

    @Test
    void withABackoffAFailingMessageIsTriedAgainByIdemAndEndsAsADeadLetter() {
        launchWithRedis(
                AutoListeners.class,
                "idem.scopes." + PAYMENTS + ".backoff.first=50ms",
                "idem.scopes." + PAYMENTS + ".max-attempts=3");
        script().then(ListenerScript.fail(), ListenerScript.fail(), ListenerScript.fail());

        send(key, "one");

        awaitUntil(() -> !app().deadLetters().isEmpty());
        assertThat(script().calls()).hasSize(3);
        assertThat(inRedis().attempts()).isEqualTo(3);
    }

    /** What the reconciler was asked. */
    static class Questions {

        private final List<UnknownOutcome> asked = new CopyOnWriteArrayList<>();
    }

    /** Knows that everything was done. */
    static class AskingListeners extends AutoListeners {

        AskingListeners(ListenerScript script) {
            super(script);
        }

        @Bean
        static Questions questions() {
            return new Questions();
        }

        @Bean
        static Reconciler everythingIsDone(Questions questions) {
            return question -> {
                questions.asked.add(question);
                return Reconciliation.done();
            };
        }
    }
}
