package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.Admission;
import io.idem.AttemptPolicy;
import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyEvent.TakeoverDecided;
import io.idem.IdempotencyEvent.TakeoverDecided.Decision;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OwnerToken;
import io.idem.Reconciliation;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.TakeoverPolicy;
import io.idem.UnknownOutcome;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An owner died with its outcome unknown: what its successor does. */
class TakeoverTest extends ExecutorFixture {

    private static final StoredResult FOUND = StoredResult.of("text", "found".getBytes(StandardCharsets.UTF_8));

    private final List<UnknownOutcome> questions = new ArrayList<>();
    private final List<String> runs = new ArrayList<>();
    private final MapInbox inbox = new MapInbox();

    @BeforeEach
    void anOwnerDies() {
        someoneElsesLease();
        scripted.advance(LEASE);
    }

    private Operation under(TakeoverPolicy policy) {
        return Operation.of(
                        operation.record().key(),
                        operation.record().scope(),
                        POLICY.withAttempts(AttemptPolicy.DEFAULT.withTakeover(policy)))
                .withPayloads(List.of("order 7", 100));
    }

    private TakeoverPolicy answering(Reconciliation... answers) {
        return TakeoverPolicy.reconcile(question -> {
            questions.add(question);
            return answers[Math.min(questions.size(), answers.length) - 1];
        });
    }

    private Outcome<String> take(Operation by) throws Exception {
        return executor.execute(by, context -> {
            runs.add("ran");
            return done();
        });
    }

    @Test
    void byDefaultItRunsAgain() throws Exception {
        assertThat(take(under(TakeoverPolicy.rerun()))).isInstanceOf(Outcome.Executed.class);
        assertThat(eventsOf(TakeoverDecided.class)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void workOfUnknownOutcomeIsRejectedUntilAPersonReopensIt(boolean withInbox) throws Exception {
        Operation rejecting = box(under(TakeoverPolicy.reject()), withInbox);

        assertThat(take(rejecting))
                .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        rejected -> assertThat(rejected.reason()).contains("attempt 1 is unknown"));
        assertThat(record().state()).isEqualTo(RecordState.REJECTED);
        assertThat(take(rejecting)).isInstanceOf(Outcome.Rejected.class);
        assertThat(decisions()).containsExactly(Decision.REJECTED);

        scripted.memory().reopen(operation.record(), record().fence(), Duration.ofHours(1));
        assertThat(take(rejecting)).isInstanceOf(Outcome.Executed.class);
        assertThat(runs).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void workThatHadBeenDoneIsCompletedWithItsResultAndNotRun(boolean withInbox) throws Exception {
        Operation asking = box(under(answering(Reconciliation.done(FOUND))), withInbox);

        assertThat(take(asking)).isEqualTo(new Outcome.Replayed<>(FOUND));

        assertThat(record().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(take(asking)).isEqualTo(new Outcome.Replayed<>(FOUND));
        assertThat(runs).isEmpty();
        assertThat(decisions()).containsExactly(Decision.DONE);
        assertThat(questions).hasSize(1);
        assertThat(inbox.rows()).hasSize(withInbox ? 1 : 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void workThatHadNotBeenDoneRuns(boolean withInbox) throws Exception {
        assertThat(take(box(under(answering(Reconciliation.notDone())), withInbox)))
                .isInstanceOf(Outcome.Executed.class);
        assertThat(decisions()).containsExactly(Decision.RUN);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatCannotBeKnownYetIsAskedAgainByTheNextTakeover(boolean withInbox) throws Exception {
        Operation asking = box(under(answering(Reconciliation.askAgain(), Reconciliation.done(FOUND))), withInbox);

        assertThat(take(asking)).isEqualTo(new Outcome.InProgress<>(LEASE));
        assertThat(record().state()).isEqualTo(RecordState.PENDING);
        assertThat(take(asking)).isInstanceOf(Outcome.InProgress.class);
        scripted.advance(LEASE);

        assertThat(take(asking)).isEqualTo(new Outcome.Replayed<>(FOUND));
        assertThat(questions).extracting(UnknownOutcome::attempt).containsExactly(2, 3);
        assertThat(decisions()).containsExactly(Decision.ASK_AGAIN, Decision.DONE);
        assertThat(runs).isEmpty();
    }

    @Test
    void theReconcilerMayLeaveItToAPerson() throws Exception {
        assertThat(take(under(answering(Reconciliation.reject("provider lists two charges")))))
                .isEqualTo(new Outcome.Rejected<>("provider lists two charges"));
        assertThat(record().reason()).isEqualTo("provider lists two charges");
    }

    @Test
    void aReasonIsShortEnoughForAHeader() {
        assertThat(new Reconciliation.Reject("x".repeat(100_000)).reason()).hasSize(1024);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aReconcilerThatFailsRunsNothingAndIsAskedAgain(boolean withInbox) throws Exception {
        Operation asking = box(
                under(TakeoverPolicy.reconcile(question -> {
                    questions.add(question);
                    throw new IllegalStateException("provider away");
                })),
                withInbox);

        assertThat(take(asking)).isEqualTo(new Outcome.InProgress<>(LEASE));
        scripted.advance(LEASE);
        assertThat(take(asking)).isEqualTo(new Outcome.InProgress<>(LEASE));

        assertThat(questions).hasSize(2);
        assertThat(runs).isEmpty();
    }

    @Test
    void anInterruptedReconcilerLeavesTheInterruptToTheCaller() throws Exception {
        Operation asking = under(TakeoverPolicy.reconcile(question -> {
            throw new InterruptedException();
        }));

        assertThat(take(asking)).isInstanceOf(Outcome.InProgress.class);

        assertThat(Thread.interrupted()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anErrorOfTheReconcilerEndsTheRenewalsOfWhatItWasAskedAbout(boolean batched) {
        List<IdempotencyKey> renewed = new CopyOnWriteArrayList<>();
        IdempotencyStore noting = new PerRequestStore(store) {
            @Override
            public StoreAnswer renew(Lease lease) {
                renewed.add(lease.record().key());
                return super.renew(lease);
            }
        };
        IdempotencyKey asked = operation.record().key();
        TakeoverPolicy breaking = TakeoverPolicy.reconcile(question -> {
            await().until(() -> renewed.contains(asked));
            throw new NoClassDefFoundError("a class of the reconciler");
        });
        try (IdempotentExecutor beating = IdempotentExecutor.on(noting)
                .listeners(List.of(events::add))
                .clock(scripted.clock())
                .build()) {
            assertThatThrownBy(() -> begin(beating, batched, beating(asked, breaking)))
                    .hasRootCauseInstanceOf(NoClassDefFoundError.class);

            renewed.clear();
            IdempotencyKey other = IdempotencyKey.of("k-2");
            beating.begin(beating(other, TakeoverPolicy.rerun()));
            await().until(() -> Collections.frequency(renewed, other) >= 3);
            assertThat(Collections.frequency(renewed, asked))
                    .as("at most the one that was under way")
                    .isLessThanOrEqualTo(1);
        }
    }

    private static Admission<String> begin(IdempotentExecutor by, boolean batched, Operation what) {
        try {
            return batched
                    ? by.async(Runnable::run)
                            .batch()
                            .<String>beginAll(List.of(what))
                            .get(0)
                            .toCompletableFuture()
                            .join()
                    : by.begin(what);
        } catch (NoClassDefFoundError bare) {
            throw new CompletionException(bare);
        }
    }

    private Operation beating(IdempotencyKey key, TakeoverPolicy takeover) {
        ExecutionPolicy policy =
                new ExecutionPolicy(LEASE, Duration.ofMillis(5), Duration.ofMinutes(1), Duration.ofHours(24), 0);
        return Operation.of(
                key, operation.record().scope(), policy.withAttempts(AttemptPolicy.DEFAULT.withTakeover(takeover)));
    }

    @Test
    void theReconcilerIsToldWhatItIsAbout() throws Exception {
        take(under(answering(Reconciliation.notDone())));

        UnknownOutcome question = questions.get(0);
        assertThat(question.key()).isEqualTo(operation.record().key());
        assertThat(question.scope()).isEqualTo(operation.record().scope());
        assertThat(question.attempt()).isEqualTo(2);
        assertThat(question.fence()).isEqualTo(record().fence());
        assertThat(question.payload(Integer.class)).contains(100);
        assertThat(question.payload(Duration.class)).isEmpty();
        assertThat(question).asString().doesNotContain("order 7");
    }

    @Test
    void aTakeoverWhoseAnswerWasLostAndAskedForAgainIsATakeover() throws Exception {
        scripted.loseAnswerTo("acquire");
        IdempotencyStore repeating = new PerRequestStore(store) {
            @Override
            public Claim acquire(AcquireRequest request) {
                try {
                    return super.acquire(request);
                } catch (StoreUnavailableException lostAnswer) {
                    return super.acquire(request);
                }
            }
        };
        try (IdempotentExecutor patient = IdempotentExecutor.on(repeating)
                .listeners(List.of(events::add))
                .clock(scripted.clock())
                .build()) {
            assertThat(patient.<String>begin(under(answering(Reconciliation.done(FOUND)))))
                    .isEqualTo(new Admission.Answered<>(new Outcome.Replayed<>(FOUND)));
        }
        assertThat(eventsOf(IdempotencyEvent.Claimed.class))
                .extracting(claimed -> ((Claim.Granted) claimed.claim()).kind())
                .containsExactly(Claim.GrantKind.REENTRANT);
    }

    @Test
    void aRetryWhoseAnswerWasLostAndAskedForAgainIsNone() throws Exception {
        AcquireRequest asked = request();
        scripted.memory().fail(someoneElsesLease(), Duration.ZERO);
        scripted.memory().acquire(asked);

        Claim.Granted again = (Claim.Granted) scripted.memory().acquire(asked);

        assertThat(again.kind()).isEqualTo(Claim.GrantKind.REENTRANT);
        assertThat(again.isTakeover()).isFalse();
    }

    private AcquireRequest request() {
        return new AcquireRequest(
                operation.record(),
                OwnerToken.random(new SecureRandom()),
                LEASE,
                Duration.ofHours(24),
                Fingerprint.NONE,
                0,
                0);
    }

    @Test
    void aTakeoverThatIsTooLateToBeTrustedIsNotReleasedAsAKnownFailure() throws Exception {
        Operation asking = under(answering(Reconciliation.done(FOUND)));
        scripted.before("acquire", () -> scripted.advance(LEASE));

        assertThat(take(asking)).isInstanceOf(Outcome.InProgress.class);
        assertThat(record().state()).isEqualTo(RecordState.PENDING);
        scripted.advance(LEASE);

        assertThat(take(asking)).isEqualTo(new Outcome.Replayed<>(FOUND));
        assertThat(runs).isEmpty();
    }

    @Test
    void anInboxThatFailsBeforeAnythingIsDecidedDoesNotMakeTheTakeoverARetry() throws Exception {
        Operation asking = box(under(answering(Reconciliation.done(FOUND))), true);
        inbox.connectionBreaksAtStart(true);
        assertThatThrownBy(() -> take(asking)).hasMessage("no database");
        assertThat(record().state()).isEqualTo(RecordState.PENDING);
        inbox.connectionBreaksAtStart(false);
        scripted.advance(LEASE);

        assertThat(take(asking)).isEqualTo(new Outcome.Replayed<>(FOUND));
    }

    @Test
    void anInboxThatKnowsTheWorkDecidesFirst() throws Exception {
        inbox.rows().put(operation.record(), new Inbox.Effect(RECEIPT, List.of()));

        assertThat(take(box(under(TakeoverPolicy.reject()), true))).isEqualTo(new Outcome.Replayed<>(RECEIPT));

        assertThat(record().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(eventsOf(TakeoverDecided.class)).isEmpty();
    }

    @Test
    void aDecisionThatComesTooLateIsRefused() throws Exception {
        Operation asking = under(TakeoverPolicy.reconcile(question -> {
            scripted.memory().complete(takenOver(), RECEIPT);
            return Reconciliation.reject("too late");
        }));

        assertThat(take(asking)).isEqualTo(new Outcome.Replayed<>(RECEIPT));
        assertThat(record().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aStoreThatDoesNotTakeTheDecisionIsToldAgainByTheNextTakeover() throws Exception {
        Operation asking = under(answering(Reconciliation.done(FOUND)));
        scripted.fail("complete", ScriptedStore.silence());
        assertThatThrownBy(() -> take(asking)).isInstanceOf(StoreUnavailableException.class);
        scripted.advance(LEASE);

        assertThat(take(asking)).isEqualTo(new Outcome.Replayed<>(FOUND));
        assertThat(questions).hasSize(2);
    }

    @Test
    void workThatEndsElsewhereIsDecidedUponBeforeItBegins() {
        assertThat(executor.<String>begin(under(TakeoverPolicy.reject())))
                .isInstanceOfSatisfying(
                        Admission.Answered.class,
                        answered -> assertThat(answered.outcome()).isInstanceOf(Outcome.Rejected.class));
    }

    @Test
    void aFreshGrantAndAKnownFailureAskNobody() throws Exception {
        Operation other = Operation.of(
                IdempotencyKey.of("k-2"),
                operation.record().scope(),
                under(TakeoverPolicy.reject()).policy());
        assertThatThrownBy(() -> executor.execute(other, context -> {
                    throw new IllegalStateException("broken");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(take(other)).isInstanceOf(Outcome.Executed.class);
    }

    private Operation box(Operation by, boolean withInbox) {
        return withInbox ? by.withInbox(inbox) : by;
    }

    private List<Decision> decisions() {
        return eventsOf(TakeoverDecided.class).stream()
                .map(TakeoverDecided::decision)
                .toList();
    }
}
