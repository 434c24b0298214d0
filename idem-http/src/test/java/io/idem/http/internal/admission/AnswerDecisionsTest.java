package io.idem.http.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.LeaseLostException;
import io.idem.Outcome;
import io.idem.Outcome.Obstacle;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.http.KeySource;
import io.idem.http.RouteOptions;
import io.idem.http.StoredResponse;
import io.idem.http.StoredResponseCodec;
import io.idem.http.contract.FaultyStore;
import io.idem.step.StepException;
import io.idem.step.StepException.Problem;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of answers, with every row. */
class AnswerDecisionsTest {

    private static final Scope SCOPE = new Scope("http.shop");
    private static final RouteOptions PLAIN =
            RouteOptions.builder(SCOPE, ExecutionPolicy.defaults()).build();
    private static final RouteOptions HAND_OFF = PLAIN.toBuilder().handOff(true).build();
    private static final RouteOptions INBOX = PLAIN.toBuilder().inbox(true).build();
    private static final RouteOptions WEBHOOK =
            PLAIN.toBuilder().key(KeySource.header("X-Delivery")).build();
    private static final Duration PAUSE = Duration.ofSeconds(7);
    private static final String AFTER_LEASE =
            "503 outcome-unrecorded after " + PLAIN.policy().lease();
    private static final String AT_ONCE = "503 outcome-unrecorded after PT0S";
    private static final StoredResult STORED =
            StoredResponseCodec.encode(StoredResponse.of(200, List.of(), new byte[] {1}));
    private static final Obstacle SILENT = new Obstacle.StoreSilent(FaultyStore.silence());
    private static final Obstacle LOST = new Obstacle.RecordLost(RecordState.ABSENT);
    private static final Obstacle UNCONFIRMED = new Obstacle.Unconfirmed(new IllegalStateException("no broker"));

    private static Outcome.Unrecorded<String> unrecorded(Obstacle why) {
        return new Outcome.Unrecorded<>("v", why, () -> {
            throw new AssertionError("a decision records nothing");
        });
    }

    private static String told(AnswerDecision decision) {
        if (decision instanceof AnswerDecision.Refuse refuse) {
            String pause = refuse.refusal()
                    .retryAfter()
                    .map(after -> " after " + after)
                    .orElse("");
            return refuse.refusal().problem().status() + " "
                    + refuse.refusal().problem().slug() + pause;
        }
        return decision.getClass().getSimpleName();
    }

    static Stream<Arguments> notRun() {
        return Stream.of(
                arguments(new Outcome.Replayed<>(STORED), "Replay"),
                arguments(new Outcome.Replayed<>(StoredResult.NONE), "409 answer-not-kept"),
                arguments(new Outcome.Replayed<>(StoredResult.OMITTED), "409 answer-not-kept"),
                arguments(new Outcome.InProgress<>(PAUSE), "409 in-progress after PT7S"),
                arguments(new Outcome.NotYet<>(PAUSE), "409 in-progress after PT7S"),
                arguments(new Outcome.Mismatch<>(), "422 key-reused"),
                arguments(new Outcome.Rejected<>("no"), "409 rejected"),
                arguments(new Outcome.Exhausted<>(3), "409 attempts-exhausted"));
    }

    @ParameterizedTest
    @MethodSource("notRun")
    void aRequestThatIsNotRunIsAnsweredByItsOutcome(Outcome.NotRun<?> outcome, String told) {
        assertThat(told(AnswerDecisions.of(outcome, PLAIN))).isEqualTo(told);
        assertThat(told(AnswerDecisions.after(outcome, PLAIN))).isEqualTo(told);
    }

    static Stream<Arguments> deliveries() {
        return Stream.of(
                arguments(new Outcome.Replayed<>(STORED), "Replay"),
                arguments(new Outcome.Replayed<>(StoredResult.NONE), "Replay"),
                arguments(new Outcome.Replayed<>(StoredResult.OMITTED), "Replay"),
                arguments(new Outcome.InProgress<>(PAUSE), "503 delivery-in-progress after PT7S"),
                arguments(new Outcome.NotYet<>(PAUSE), "503 delivery-in-progress after PT7S"),
                arguments(new Outcome.Mismatch<>(), "422 key-reused"),
                arguments(new Outcome.Rejected<>("no"), "409 rejected"),
                arguments(new Outcome.Exhausted<>(3), "409 attempts-exhausted"),
                arguments(new Outcome.Superseded<>("v", StoredResult.NONE), "Replay"));
    }

    @ParameterizedTest
    @MethodSource("deliveries")
    void aDeliveryOfAnEventIsAnsweredByItsOutcome(Outcome<?> outcome, String told) {
        assertThat(told(AnswerDecisions.after(outcome, WEBHOOK))).isEqualTo(told);
    }

    @Test
    void anEventThatIsDoneWithoutAnAnswerIsAnsweredWithAnEmpty200() {
        AnswerDecision decision = AnswerDecisions.of(new Outcome.Replayed<>(StoredResult.NONE), WEBHOOK);

        StoredResponse answer = StoredResponseCodec.decode(((AnswerDecision.Replay) decision).stored());
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void aLostLeaseIsInProgressForClientsAndSenders() {
        LeaseLostException lost = new LeaseLostException(new Lease(
                new RecordId(IdempotencyKey.of("k"), SCOPE),
                OwnerToken.random(new SecureRandom()),
                1,
                1,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1)));

        assertThat(AnswerDecisions.failed(lost, PLAIN).map(AnswerDecisionsTest::told))
                .contains("409 in-progress after PT0S");
        assertThat(AnswerDecisions.failed(lost, WEBHOOK).map(AnswerDecisionsTest::told))
                .contains("503 delivery-in-progress after PT0S");
    }

    static Stream<Arguments> whyInProgress() {
        LeaseLostException lost = new LeaseLostException(new Lease(
                new RecordId(IdempotencyKey.of("k"), SCOPE),
                OwnerToken.random(new SecureRandom()),
                1,
                1,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1)));
        return Stream.of(
                arguments(AnswerDecisions.of(new Outcome.InProgress<>(PAUSE), PLAIN), "is still running"),
                arguments(AnswerDecisions.of(new Outcome.NotYet<>(PAUSE), PLAIN), "next attempt is not due"),
                arguments(AnswerDecisions.failed(lost, PLAIN).orElseThrow(), "lost its key"),
                arguments(
                        AnswerDecisions.failed(new IllegalStateException(lost), WEBHOOK)
                                .orElseThrow(),
                        "lost its key"),
                arguments(
                        AnswerDecisions.failed(new StepException("pay", Problem.UNDECIDED, "is open"), PLAIN)
                                .orElseThrow(),
                        "step"));
    }

    @ParameterizedTest
    @MethodSource("whyInProgress")
    void theDetailOfARequestInProgressSaysOnlyWhatIsSo(AnswerDecision decision, String reason) {
        String detail = ((AnswerDecision.Refuse) decision).refusal().detail();

        assertThat(Stream.of("is still running", "next attempt is not due", "lost its key", "step")
                        .filter(detail::contains))
                .containsExactly(reason);
    }

    static Stream<Arguments> ran() {
        return Stream.of(
                arguments(new Outcome.Executed<>("v", STORED), PLAIN, "SendHeld"),
                arguments(new Outcome.Released<>("v", false), PLAIN, "SendHeld"),
                arguments(new Outcome.RejectedNow<>("v", "no"), PLAIN, "SendHeld"),
                arguments(new Outcome.Superseded<>("v", STORED), PLAIN, "Replay"),
                arguments(new Outcome.Superseded<>("v", StoredResult.NONE), PLAIN, "409 answer-not-kept"),
                arguments(unrecorded(SILENT), PLAIN, "RecordAgain"),
                arguments(unrecorded(SILENT), HAND_OFF, "SendHeld"),
                arguments(unrecorded(SILENT), INBOX, "SendHeld"),
                arguments(unrecorded(LOST), PLAIN, "RecordAgain"),
                arguments(unrecorded(LOST), HAND_OFF, "RecordAgain"),
                arguments(unrecorded(LOST), INBOX, "SendHeld"),
                arguments(unrecorded(UNCONFIRMED), PLAIN, AFTER_LEASE),
                arguments(unrecorded(UNCONFIRMED), HAND_OFF, AFTER_LEASE),
                arguments(unrecorded(UNCONFIRMED), INBOX, AFTER_LEASE));
    }

    @ParameterizedTest
    @MethodSource("ran")
    void aRequestThatRanIsAnsweredByItsOutcome(Outcome<?> outcome, RouteOptions options, String told) {
        assertThat(told(AnswerDecisions.after(outcome, options))).isEqualTo(told);
    }

    static Stream<Arguments> again() {
        return Stream.of(
                arguments(SILENT, new Outcome.Executed<>("v", STORED), "SendHeld"),
                arguments(LOST, new Outcome.Executed<>("v", STORED), AT_ONCE),
                arguments(SILENT, new Outcome.Superseded<>("v", STORED), "Replay"),
                arguments(LOST, new Outcome.Superseded<>("v", StoredResult.NONE), "409 answer-not-kept"),
                arguments(SILENT, unrecorded(SILENT), AFTER_LEASE),
                arguments(LOST, unrecorded(LOST), AFTER_LEASE),
                arguments(SILENT, new Outcome.Released<>("v", false), AT_ONCE),
                arguments(SILENT, new Outcome.RejectedNow<>("v", "no"), AT_ONCE),
                arguments(SILENT, new Outcome.InProgress<>(PAUSE), AT_ONCE));
    }

    @ParameterizedTest
    @MethodSource("again")
    void aSecondTryToRecordDecidesTheAnswer(Obstacle first, Outcome<?> again, String told) {
        assertThat(told(AnswerDecisions.afterAgain(unrecorded(first), again, PLAIN)))
                .isEqualTo(told);
    }

    @Test
    void aStoreThatCannotTellIsAnswered503() {
        assertThat(told(AnswerDecisions.notRun(FaultyStore.silence()))).isEqualTo("503 store-unavailable after PT1S");
        assertThat(told(AnswerDecisions.notRun(
                        new UnreadableRecordException(new RecordId(IdempotencyKey.of("k"), SCOPE), "a hash"))))
                .isEqualTo("503 record-unreadable");
        assertThat(told(AnswerDecisions.unsettled())).isEqualTo("503 record-unreadable");
    }

    @Test
    void aFailureIsTheApplicationsToAnswer() {
        assertThat(AnswerDecisions.failed(new IllegalStateException("broken"), PLAIN))
                .isEmpty();
    }
}
