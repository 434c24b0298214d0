package io.idem.consumer.internal.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.idem.InvalidKeyException;
import io.idem.Outcome;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.MissingKeyException;
import io.idem.consumer.MissingKeyPolicy;
import io.idem.consumer.OutageSettings;
import io.idem.consumer.internal.delivery.DeliveryDecisions.Mode;
import io.idem.consumer.internal.delivery.DeliveryFacts.Attempt;
import io.idem.consumer.internal.guard.FakeMessage;
import io.idem.consumer.internal.outage.StoreOutage;
import io.idem.consumer.internal.outage.StoreOutages;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of the table of decisions in docs/concepts.md. */
class DeliveryDecisionsTest {

    private static final Scope SCOPE = new Scope("scope");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration DELAY = Duration.ofSeconds(7);
    private static final DeliveryDecision RAN = new DeliveryDecision.Ran();
    private static final Outcome.Obstacle LOST = new Outcome.Obstacle.RecordLost(RecordState.ABSENT);

    private static final DeliveryFacts NOT_RUN = facts(Optional.empty());
    private static final DeliveryFacts ATTEMPT = attempt(false, true, false);
    private static final DeliveryFacts HANDED_BACK = attempt(true, true, false);
    private static final DeliveryFacts UNLIMITED = attempt(false, false, false);
    private static final DeliveryFacts THREW = attempt(false, true, true);
    private static final DeliveryFacts IN_BATCH = facts(Optional.of(Attempt.inBatch(2)));

    private static DeliveryFacts attempt(boolean handedBack, boolean mayRetry, boolean threw) {
        return facts(Optional.of(new Attempt(2, DELAY, handedBack, mayRetry, threw)));
    }

    private static DeliveryFacts facts(Optional<Attempt> attempt) {
        return new DeliveryFacts(
                SCOPE, LEASE, attempt, number -> number == 3 ? Optional.of("a timeout") : Optional.empty());
    }

    private static DeliveryDecision defer(Duration retryAfter, String why) {
        return new DeliveryDecision.Defer(SCOPE, retryAfter, why);
    }

    private static DeliveryDecision.DeadLetter dead(String reason, int attempts) {
        return new DeliveryDecision.DeadLetter(SCOPE, reason, attempts);
    }

    private static DeliveryDecision failed(DeliveryDecision.DeadLetter dead) {
        return new DeliveryDecision.Failed(Optional.of(dead));
    }

    static Stream<Arguments> ran() {
        Outcome<String> released = new Outcome.Released<>("value", false);
        Outcome<String> rejected = new Outcome.RejectedNow<>("value", "hopeless");
        Outcome<String> unrecorded = new Outcome.Unrecorded<>("value", LOST, () -> released);
        String retried = "its attempt took no effect and another one follows";
        DeliveryDecision open = defer(LEASE, "its effect is durable but could not be recorded: " + LOST);
        return Stream.of(
                arguments(ATTEMPT, new Outcome.Executed<>("value", StoredResult.NONE), RAN),
                arguments(HANDED_BACK, new Outcome.Executed<>("value", StoredResult.NONE), RAN),
                arguments(IN_BATCH, new Outcome.Executed<>("value", StoredResult.NONE), RAN),
                arguments(ATTEMPT, new Outcome.Superseded<>("value", StoredResult.NONE), RAN),
                arguments(IN_BATCH, new Outcome.Superseded<>("value", StoredResult.NONE), RAN),
                arguments(ATTEMPT, unrecorded, open),
                arguments(IN_BATCH, unrecorded, open),
                arguments(ATTEMPT, released, defer(DELAY, retried)),
                arguments(IN_BATCH, released, defer(Duration.ZERO, retried)),
                arguments(NOT_RUN, released, defer(Duration.ZERO, retried)),
                arguments(HANDED_BACK, released, new DeliveryDecision.HandedBack()),
                arguments(attempt(true, false, false), released, new DeliveryDecision.HandedBack()),
                arguments(UNLIMITED, released, new DeliveryDecision.Failed(Optional.empty())),
                arguments(ATTEMPT, new Outcome.Released<>("value", true), RAN),
                arguments(UNLIMITED, new Outcome.Released<>("value", true), RAN),
                arguments(IN_BATCH, new Outcome.Released<>("value", true), RAN),
                arguments(ATTEMPT, rejected, dead("hopeless", 2)),
                arguments(UNLIMITED, rejected, dead("hopeless", 2)),
                arguments(IN_BATCH, rejected, dead("hopeless", 2)),
                arguments(NOT_RUN, rejected, dead("hopeless", 0)),
                arguments(THREW, rejected, failed(dead("hopeless", 2))));
    }

    static Stream<Arguments> notRun() {
        return Stream.of(
                arguments(NOT_RUN, new Outcome.Replayed<>(StoredResult.NONE), new DeliveryDecision.Duplicate()),
                arguments(NOT_RUN, new Outcome.InProgress<>(DELAY), defer(DELAY, "another owner holds the lease")),
                arguments(
                        ATTEMPT,
                        new Outcome.InProgress<>(DELAY),
                        defer(DELAY, "its attempt ended with its outcome unknown")),
                arguments(
                        IN_BATCH,
                        new Outcome.InProgress<>(DELAY),
                        defer(DELAY, "its attempt ended with its outcome unknown")),
                arguments(NOT_RUN, new Outcome.NotYet<>(DELAY), defer(DELAY, "its last attempt asked for a delay")),
                arguments(NOT_RUN, new Outcome.Mismatch<>(), dead("its key was used before with another payload", 0)),
                arguments(NOT_RUN, new Outcome.Rejected<>("hopeless"), dead("its record is rejected: hopeless", 0)),
                arguments(
                        NOT_RUN,
                        new Outcome.Exhausted<>(3),
                        dead("all 3 attempts are used up; the last one failed with a timeout", 3)),
                arguments(NOT_RUN, new Outcome.Exhausted<>(4), dead("all 4 attempts are used up", 4)));
    }

    @ParameterizedTest
    @MethodSource({"ran", "notRun"})
    void anOutcomeDecidesItsDelivery(DeliveryFacts facts, Outcome<?> outcome, DeliveryDecision expected) {
        assertThat(DeliveryDecisions.of(facts, outcome)).isEqualTo(expected);
    }

    @Test
    void aSilentStoreDefersUntilItsOutageIsOver() {
        StoreUnavailableException silent =
                new StoreUnavailableException("timeout", Execution.UNKNOWN, new IllegalStateException("timeout"));
        try (StoreOutages outages =
                new StoreOutages(OutageSettings.DEFAULTS, scope -> {}, () -> {}, new ConsumerEvents(List.of()))) {
            StoreOutage outage = outages.refused(SCOPE, new FakeMessage(), silent);

            assertThat(DeliveryDecisions.unanswered(SCOPE, silent, outage))
                    .isEqualTo(new DeliveryDecision.Defer(
                            SCOPE,
                            Duration.ZERO,
                            "the store does not take its work: " + silent.getMessage(),
                            Optional.of(outage)));
            assertThat(DeliveryDecisions.unasked(SCOPE, outage))
                    .isEqualTo(new DeliveryDecision.Defer(
                            SCOPE, Duration.ZERO, "the store has not answered since before", Optional.of(outage)));
        }
    }

    @Test
    void anUnreadableRecordDefersUnlessTheWorkIsFinished() {
        assertThat(DeliveryDecisions.unreadable(SCOPE, true)).isEqualTo(RAN);
        assertThat(DeliveryDecisions.unreadable(SCOPE, false))
                .isEqualTo(defer(Duration.ZERO, "its record cannot be read"));
    }

    @Test
    void aRollbackDefersItsMessage() {
        assertThat(DeliveryDecisions.rolledBack(SCOPE, "its lease was lost"))
                .isEqualTo(defer(
                        Duration.ZERO,
                        "its lease was lost; its transaction is rolled back and the message comes again"));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aMissingKeyIsDecidedByPolicy(Mode mode) {
        MissingKeyException missing = new MissingKeyException(SCOPE, FakeMessage.withKey("k1"), "a header");
        DeliveryDecision.DeadLetter dead = dead(String.valueOf(missing.getMessage()), 0);

        assertThat(DeliveryDecisions.withoutKey(MissingKeyPolicy.DEAD_LETTER, SCOPE, missing, mode))
                .contains(mode == Mode.BATCH ? dead : failed(dead));
        assertThat(DeliveryDecisions.withoutKey(MissingKeyPolicy.ACKNOWLEDGE, SCOPE, missing, mode))
                .contains(new DeliveryDecision.Skipped());
        assertThat(DeliveryDecisions.withoutKey(MissingKeyPolicy.RUN_UNGUARDED, SCOPE, missing, mode))
                .isEmpty();
    }

    @Test
    void anInvalidKeyBecomesADeadLetter() {
        InvalidKeyException invalid = new InvalidKeyException("too long");

        assertThat(DeliveryDecisions.unusableKey(SCOPE, invalid, Mode.BATCH)).isEqualTo(dead("too long", 0));
        assertThat(DeliveryDecisions.unusableKey(SCOPE, invalid, Mode.SINGLE)).isEqualTo(failed(dead("too long", 0)));
    }
}
