package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AttemptPolicy;
import io.idem.Backoff;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OutgoingMessage;
import io.idem.RecordState;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.WorkResult;
import io.idem.spi.OutgoingTransport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Work inside an inbox transaction. */
class InboxTest extends ExecutorFixture {

    private static final OutgoingMessage SETTLED = new OutgoingMessage("kafka", "payment.settled", new byte[] {1});

    private final List<String> order = new ArrayList<>();
    private final MapInbox inbox = new MapInbox(order);
    private final Operation guarded = operation.withInbox(inbox);

    private OutgoingTransport transport(String name, Function<OutgoingMessage, CompletionStage<?>> publishing) {
        return new OutgoingTransport() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public CompletionStage<?> publish(OutgoingMessage message) {
                order.add("publish " + message.destination());
                return publishing.apply(message);
            }
        };
    }

    private void kafkaConfirms() {
        transports.add(transport("kafka", message -> CompletableFuture.completedFuture(null)));
    }

    private WorkResult<String> publishingWork(IdempotencyContext context) {
        order.add("run");
        assertThat(context.publications().keeping()).isTrue();
        context.publications().keep(SETTLED);
        return done();
    }

    @Test
    void messagesAreKeptUntilTheCommitAndPublishedBeforeTheCompletion() throws Exception {
        kafkaConfirms();
        scripted.before("complete", () -> order.add("complete"));

        assertThat(executor.execute(guarded, this::publishingWork)).isInstanceOf(Outcome.Executed.class);

        assertThat(order).containsExactly("run", "commit", "publish payment.settled", "complete");
    }

    @Test
    void workThatWasCommittedBeforeIsReplayedAndItsMessagesArePublishedAgain() throws Exception {
        kafkaConfirms();
        inbox.rows().put(operation.record(), new Inbox.Effect(RECEIPT, List.of(SETTLED)));

        Outcome<String> outcome = executor.execute(guarded, context -> {
            throw new AssertionError("ran twice");
        });

        assertThat(outcome).isEqualTo(new Outcome.Replayed<>(RECEIPT));
        assertThat(order).containsExactly("publish payment.settled");
        assertThat(record().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(record().result()).isEqualTo(RECEIPT);
        assertThat(eventsOf(IdempotencyEvent.FoundInInbox.class)).hasSize(1);
    }

    @Test
    void workIsNotRunWhileTheStoreIsAway() {
        scripted.fail("acquire", ScriptedStore.silence());

        assertThatThrownBy(() -> executor.execute(guarded, this::publishingWork))
                .isInstanceOf(StoreUnavailableException.class);

        assertThat(order).isEmpty();
        assertThat(inbox.rows()).isEmpty();
    }

    private Operation paying(String amount) {
        return guarded.withFingerprint(Fingerprint.of(amount.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void theRowKeepsTheFingerprintOfItsPayload() throws Exception {
        executor.execute(paying("10"), context -> done());

        assertThat(inbox.rows().values())
                .extracting(Inbox.Effect::fingerprint)
                .containsExactly(paying("10").fingerprint());
    }

    @Test
    void aRowOfAnotherPayloadIsAMismatchThatPublishesNothingAndGivesTheKeyBack() throws Exception {
        kafkaConfirms();
        inbox.rows()
                .put(
                        operation.record(),
                        new Inbox.Effect(RECEIPT, List.of(SETTLED), paying("10").fingerprint()));

        assertThat(executor.execute(paying("20"), this::publishingWork)).isEqualTo(new Outcome.Mismatch<>());

        assertThat(order).isEmpty();
        assertThat(record().state()).isEqualTo(RecordState.FAILED);
        assertThat(eventsOf(IdempotencyEvent.FoundInInbox.class)).isEmpty();
    }

    @Test
    void aMismatchOfTheRecordStaysOneWhereTheRowDoesNotKnowThePayload() throws Exception {
        executor.execute(paying("20"), context -> done());
        inbox.rows().put(operation.record(), new Inbox.Effect(RECEIPT, List.of()));

        assertThat(executor.execute(paying("10"), this::publishingWork)).isEqualTo(new Outcome.Mismatch<>());
    }

    @Test
    void aMismatchWithoutARowIsNotSettledByAnybody() throws Exception {
        executor.execute(paying("20"), context -> new WorkResult.Release<>("later", Duration.ZERO));

        assertThat(executor.execute(paying("10"), this::publishingWork)).isEqualTo(new Outcome.Mismatch<>());

        assertThat(record().fingerprint()).isEqualTo(paying("20").fingerprint());
        assertThat(scripted.calls()).doesNotContain("complete");
    }

    @Test
    void aRowThatIsFoundIsNotAcknowledgedBeforeItsMessagesAreConfirmed() throws Exception {
        inbox.rows().put(operation.record(), new Inbox.Effect(RECEIPT, List.of(SETTLED)));
        Operation impatient = Operation.of(
                        operation.record().key(),
                        operation.record().scope(),
                        ExecutionPolicy.of(Duration.ofMillis(300), Duration.ofHours(24)))
                .withInbox(inbox);

        assertThat(executor.execute(impatient, this::publishingWork)).isInstanceOf(Outcome.InProgress.class);
        assertThat(record().state()).isEqualTo(RecordState.PENDING);
    }

    @Test
    void workThatGivesUpRollsBackAndItsMessagesAreForgotten() throws Exception {
        kafkaConfirms();

        Outcome<String> outcome = executor.execute(guarded, context -> {
            context.publications().keep(SETTLED);
            return new WorkResult.Release<>("later", Duration.ZERO);
        });

        assertThat(outcome).isInstanceOf(Outcome.Released.class);
        assertThat(order).isEmpty();
        assertThat(inbox.rows()).isEmpty();
    }

    @Test
    void anExceptionRollsBackAndGivesTheKeyBack() {
        IllegalStateException broken = new IllegalStateException("constraint");

        assertThatThrownBy(() -> executor.execute(guarded, context -> {
                    throw broken;
                }))
                .isSameAs(broken);

        assertThat(inbox.rows()).isEmpty();
        assertThat(record().state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void aLeaseThatEndedBeforeTheCommitRollsBack() throws Exception {
        Outcome<String> outcome = executor.execute(guarded, context -> {
            takenOver();
            return done();
        });

        assertThat(outcome).isInstanceOf(Outcome.InProgress.class);
        assertThat(inbox.rows()).isEmpty();
        assertThat(scripted.calls()).doesNotContain("complete", "fail");
    }

    @Test
    void aCommitOfUnknownOutcomeSettlesNothing() throws Exception {
        inbox.breakConnectionAtCommit();

        assertThat(executor.execute(guarded, this::publishingWork)).isEqualTo(new Outcome.InProgress<>(LEASE));

        assertThat(scripted.calls()).doesNotContain("complete", "fail");
        assertThat(record().state()).isEqualTo(RecordState.PENDING);
    }

    private Operation onlyOnce() {
        return Operation.of(operation.record().key(), operation.record().scope(), POLICY.withMaxAttempts(1))
                .withInbox(inbox);
    }

    /** The only allowed attempt ends without anybody knowing how. */
    private void theOnlyAttemptDies() {
        someoneElsesLease();
        scripted.advance(LEASE.multipliedBy(2));
    }

    @Test
    void theLastAllowedAttemptThatCommittedAndDiedIsReplayedFromItsRow() throws Exception {
        kafkaConfirms();
        theOnlyAttemptDies();
        inbox.rows().put(operation.record(), new Inbox.Effect(RECEIPT, List.of(SETTLED)));

        assertThat(executor.execute(onlyOnce(), this::publishingWork)).isEqualTo(new Outcome.Replayed<>(RECEIPT));

        assertThat(order).containsExactly("publish payment.settled");
        assertThat(record().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(record().result()).isEqualTo(RECEIPT);
    }

    @Test
    void attemptsThatAreUsedUpWithoutARowStayUsedUp() throws Exception {
        theOnlyAttemptDies();

        assertThat(executor.execute(onlyOnce(), this::publishingWork)).isEqualTo(new Outcome.Exhausted<>(1));

        assertThat(order).isEmpty();
        assertThat(scripted.calls()).doesNotContain("complete");
    }

    @Test
    void attemptsThatAreUsedUpAreNoAnswerWhileTheRowCannotBeRead() {
        theOnlyAttemptDies();
        inbox.connectionBreaksAtStart(true);

        assertThatThrownBy(() -> executor.execute(onlyOnce(), this::publishingWork))
                .hasMessage("no database");

        assertThat(scripted.calls()).doesNotContain("complete", "fail", "reject");
    }

    @Test
    void aTransportThatThrowsAfterTheCommitDoesNotTurnItIntoAFailure() throws Exception {
        int[] calls = new int[1];
        transports.add(transport("kafka", message -> {
            if (calls[0]++ == 0) {
                throw new IllegalStateException("producer fenced");
            }
            return CompletableFuture.completedFuture(null);
        }));

        assertThat(executor.execute(guarded, this::publishingWork)).isInstanceOf(Outcome.Executed.class);
        assertThat(calls[0]).isEqualTo(2);
    }

    @Test
    void aMessageWithoutTransportIsHeldAndTheMissingNameIsTold() throws Exception {
        Operation impatient = Operation.of(
                        operation.record().key(),
                        operation.record().scope(),
                        ExecutionPolicy.of(Duration.ofMillis(300), Duration.ofHours(24)))
                .withInbox(inbox);

        Outcome<String> outcome = executor.execute(impatient, this::publishingWork);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Unrecorded.class,
                        open -> assertThat(open.why().toString()).contains("kafka"));
        assertThat(scripted.calls()).doesNotContain("fail");
    }

    @Test
    void twoTransportsOfOneNameAreRefusedByTheFirstMessage() throws Exception {
        kafkaConfirms();
        kafkaConfirms();
        Operation impatient = Operation.of(
                        operation.record().key(),
                        operation.record().scope(),
                        ExecutionPolicy.of(Duration.ofMillis(300), Duration.ofHours(24)))
                .withInbox(inbox);

        assertThat(executor.execute(impatient, this::publishingWork))
                .isInstanceOfSatisfying(
                        Outcome.Unrecorded.class,
                        open -> assertThat(open.why().toString()).contains("Two transports"));
    }

    @Test
    void transportsAreNotAskedForByWorkThatPublishesNothing() throws Exception {
        try (IdempotentExecutor lazy = IdempotentExecutor.on(store)
                .transports(() -> {
                    throw new AssertionError("asked");
                })
                .clock(scripted.clock())
                .build()) {
            assertThat(lazy.execute(guarded, context -> done())).isInstanceOf(Outcome.Executed.class);
        }
    }

    @Test
    void somebodyFasterIsNoDoubleEffectWhereAnInboxGuards() throws Exception {
        kafkaConfirms();
        scripted.before("complete", () -> scripted.memory().complete(takenOver(), RECEIPT));

        assertThat(executor.execute(guarded, this::publishingWork)).isInstanceOf(Outcome.Superseded.class);
        assertThat(eventsOf(IdempotencyEvent.DoubleEffectSuspected.class)).isEmpty();
        assertThat(eventsOf(IdempotencyEvent.RecordLost.class)).hasSize(1);
    }

    @Test
    void aLostRecordIsRestoredWithoutAQueryForAFenceThatNobodySaw() throws Exception {
        scripted.before("complete", () -> scripted.advance(POLICY.retention().plusHours(1)));

        assertThat(executor.execute(guarded, context -> done())).isInstanceOf(Outcome.Unrecorded.class);
        assertThat(order).contains("commit").doesNotContain("fence");
    }

    @Test
    void messagesSentAfterTheTransactionAreNotKept() throws Exception {
        executor.execute(guarded, context -> done());

        executor.execute(
                Operation.of(IdempotencyKey.of("k-2"), operation.record().scope(), POLICY), context -> {
                    assertThat(context.publications().keeping()).isFalse();
                    return done();
                });
    }

    @Test
    void theWorkSeesTheFenceOfItsRowAndTheRecordKeepsThatOfItsGrant() throws Exception {
        long ofTheDatabase = 1L << 52;
        inbox.leastFenceIs(ofTheDatabase);

        executor.execute(guarded, context -> {
            assertThat(context.fence()).isEqualTo(ofTheDatabase);
            assertThat(record().fence()).isLessThan(ofTheDatabase);
            return done();
        });

        assertThat(record().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(record().fence()).isLessThan(ofTheDatabase);
    }

    @Test
    void aDatabaseThatIsAwayReleasesTheKeyAndIsNoFailureOfTheWork() throws Exception {
        inbox.connectionBreaksAtStart(true);

        assertThatThrownBy(() -> executor.execute(guarded, this::publishingWork))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("no database");
        assertThat(record().state()).isEqualTo(RecordState.FAILED);

        inbox.connectionBreaksAtStart(false);
        assertThat(executor.execute(guarded, context -> done())).isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void aDatabaseThatIsAwayUsesUpNoAttempts() throws Exception {
        Operation limited = Operation.of(
                        operation.record().key(), operation.record().scope(), POLICY.withMaxAttempts(1))
                .withInbox(inbox);
        inbox.connectionBreaksAtStart(true);
        assertThatThrownBy(() -> executor.execute(limited, this::publishingWork))
                .isInstanceOf(StoreUnavailableException.class);

        inbox.connectionBreaksAtStart(false);
        assertThat(executor.execute(limited, context -> done())).isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void aStoreThatTheWorkFindsSilentIsNoFailureOfTheWork() throws Exception {
        StoreUnavailableException elsewhere = new StoreUnavailableException(
                "another store", Execution.NOT_EXECUTED, new IllegalStateException("ordered by a test"));
        Operation patient = Operation.of(
                        operation.record().key(),
                        operation.record().scope(),
                        POLICY.withAttempts(AttemptPolicy.DEFAULT.withBackoff(
                                Backoff.exponential(Duration.ofMinutes(1), Duration.ofMinutes(1)))))
                .withInbox(inbox);

        assertThatThrownBy(() -> executor.execute(patient, context -> {
                    throw elsewhere;
                }))
                .isSameAs(elsewhere);

        assertThat(executor.execute(patient, context -> done())).isInstanceOf(Outcome.Executed.class);
    }
}
