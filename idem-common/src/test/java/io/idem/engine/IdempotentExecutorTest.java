package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.Admission;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyEventListener;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.MonotonicClock;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordState;
import io.idem.RunningOperation;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.internal.RawResultCodec;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.ResultPipeline;
import io.micrometer.observation.ObservationRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class IdempotentExecutorTest extends ExecutorFixture {

    private static final Fingerprint HUNDRED = Fingerprint.of("100".getBytes(StandardCharsets.UTF_8));
    private static final Fingerprint THOUSAND = Fingerprint.of("1000".getBytes(StandardCharsets.UTF_8));

    @Test
    void workIsRunThenItsMessagesConfirmedThenCompleted() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> confirmation = new CompletableFuture<>();
        scripted.before("complete", () -> order.add(confirmation.isDone() ? "complete" : "complete too early"));

        Outcome<String> outcome = run(context -> {
            order.add("run");
            context.publications().track(confirmation, CompletableFuture::new);
            Thread broker = new Thread(() -> {
                order.add("confirmed");
                confirmation.complete(null);
            });
            broker.start();
            return done();
        });

        assertThat(order).containsExactly("run", "confirmed", "complete");
        assertThat(outcome).isEqualTo(new Outcome.Executed<>("charged", RECEIPT));
        assertThat(record().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aDuplicateOfFinishedWorkIsAnsweredWithoutRunning() throws Exception {
        run(context -> done());

        assertThat(run(context -> {
                    throw new AssertionError("ran twice");
                }))
                .isEqualTo(new Outcome.Replayed<>(RECEIPT));
    }

    @Test
    void aDuplicateOfRunningWorkIsDeferred() throws Exception {
        List<Outcome<String>> duplicates = new ArrayList<>();

        run(context -> {
            duplicates.add(run(duplicate -> done()));
            return done();
        });

        assertThat(duplicates).containsExactly(new Outcome.InProgress<>(LEASE));
    }

    @Test
    void anExceptionGivesTheKeyBackAndGoesOnUnchanged() {
        IllegalStateException broken = new IllegalStateException("card service away");

        assertThatThrownBy(() -> run(context -> {
                    throw broken;
                }))
                .isSameAs(broken);

        assertThat(record().state()).isEqualTo(RecordState.FAILED);
        assertThat(someoneElsesLease().attempt()).isEqualTo(2);
    }

    @Test
    void anErrorGivesTheKeyBackToo() {
        Error broken = new StackOverflowError();

        assertThatThrownBy(() -> run(context -> {
                    throw broken;
                }))
                .isSameAs(broken);

        assertThat(record().state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void theExceptionGoesOnEvenIfTheKeyCannotBeGivenBack() {
        scripted.fail("fail", ScriptedStore.silence());
        IllegalStateException broken = new IllegalStateException("card service away");

        assertThatThrownBy(() -> run(context -> {
                    throw broken;
                }))
                .isSameAs(broken);

        assertThat(record().state()).isEqualTo(RecordState.PENDING);
    }

    @Test
    void workMayAskForADelayBeforeTheNextAttempt() throws Exception {
        assertThat(run(context -> new WorkResult.Release<>("later", Duration.ofMinutes(2))))
                .isEqualTo(new Outcome.Released<>("later", false));

        assertThat(run(context -> done())).isEqualTo(new Outcome.NotYet<>(Duration.ofMinutes(2)));
        scripted.advance(Duration.ofMinutes(2));
        assertThat(run(context -> done())).isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void rejectedWorkIsNotRunAgain() throws Exception {
        assertThat(run(context -> new WorkResult.Reject<>("no", "card stolen")))
                .isEqualTo(new Outcome.RejectedNow<>("no", "card stolen"));

        assertThat(run(context -> done())).isEqualTo(new Outcome.Rejected<>("card stolen"));
    }

    @Test
    void aRejectionByAnOwnerWhoseWorkWasTakenOverAndDoneIsAReplay() throws Exception {
        assertThat(run(context -> {
                    scripted.memory().complete(takenOver(), RECEIPT);
                    return new WorkResult.Reject<>("no", "too slow");
                }))
                .isEqualTo(new Outcome.Replayed<>(RECEIPT));
    }

    @Test
    void aRejectionByAnOwnerWhoseWorkWasTakenOverIsLeftToTheOther() throws Exception {
        assertThat(run(context -> {
                    takenOver();
                    return new WorkResult.Reject<>("no", "too slow");
                }))
                .isInstanceOf(Outcome.InProgress.class);

        assertThat(record().state()).isEqualTo(RecordState.PENDING);
    }

    @Test
    void aRejectionThatTheStoreDoesNotTakeIsStillARejection() throws Exception {
        scripted.fail("reject", ScriptedStore.silence());

        assertThat(run(context -> new WorkResult.Reject<>("no", "card stolen")))
                .isInstanceOf(Outcome.RejectedNow.class);
    }

    @Test
    void oneKeyForTwoPayloadsIsAMismatch() throws Exception {
        executor.execute(operation.withFingerprint(HUNDRED), context -> done());

        assertThat(executor.execute(operation.withFingerprint(THOUSAND), context -> done()))
                .isEqualTo(new Outcome.Mismatch<>());
    }

    @Test
    void attemptsEndAtTheirLimit() {
        Operation limited =
                Operation.of(operation.record().key(), operation.record().scope(), POLICY.withMaxAttempts(1));
        assertThatThrownBy(() -> executor.execute(limited, context -> {
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(executor.<String>begin(limited)).isEqualTo(new Admission.Answered<>(new Outcome.Exhausted<>(1)));
    }

    @Test
    void aStoreThatDoesNotAnswerTheAcquireMeansThatNothingRuns() {
        scripted.fail("acquire", ScriptedStore.silence());

        assertThatThrownBy(() -> run(context -> {
                    throw new AssertionError("ran");
                }))
                .isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void aGrantThatArrivesAfterItsLeaseIsGivenBack() throws Exception {
        scripted.before("acquire", () -> scripted.advance(LEASE));

        assertThat(run(context -> {
                    throw new AssertionError("ran on a lease that nobody can trust");
                }))
                .isInstanceOf(Outcome.InProgress.class);

        assertThat(record().state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void theContextIsThereWhileTheWorkRunsAndOnlyThen() throws Exception {
        run(context -> {
            assertThat(IdempotencyContext.current()).containsSame(context);
            assertThat(context.key()).isEqualTo(operation.record().key());
            assertThat(context.scope()).isEqualTo(operation.record().scope());
            assertThat(context.attempt()).isOne();
            assertThat(context.fence()).isEqualTo(record().fence());
            assertThat(context.takeover()).isFalse();
            executor.execute(Operation.of(IdempotencyKey.of("inner"), new Scope("inner"), POLICY), inner -> {
                assertThat(IdempotencyContext.current()).containsSame(inner);
                return done();
            });
            assertThat(IdempotencyContext.current()).containsSame(context);
            return done();
        });

        assertThat(IdempotencyContext.current()).isEmpty();
    }

    @Test
    void aTakeoverIsToldToTheWork() throws Exception {
        someoneElsesLease();
        scripted.advance(LEASE);

        run(context -> {
            assertThat(context.takeover()).isTrue();
            return done();
        });
    }

    @Test
    void aRetryAfterAFailureIsNoTakeover() throws Exception {
        scripted.memory().fail(someoneElsesLease(), Duration.ZERO);

        run(context -> {
            assertThat(context.attempt()).isEqualTo(2);
            assertThat(context.takeover()).isFalse();
            return done();
        });
    }

    private final Observed unobserved = new Observed(
            operation, new Observations(ObservationRegistry.NOOP, false, new UsualDurations(scripted.clock())));
    private static final StepRunner NO_STEPS = StepRunner.on(
            new InMemoryIdempotencyStore(),
            new Results(ResultPipeline.UNCHANGED, new EventSource(List.of())),
            new RawResultCodec(),
            new EventSource(List.of()),
            MonotonicClock.SYSTEM);

    @Test
    void aGrantWhoseFirstAnswerWasLostIsATakeoverIfItsFenceSaysSo() {
        Lease lease = someoneElsesLease();
        Lease second = new Lease(
                lease.record(),
                lease.owner(),
                Claim.GrantKind.TAKEOVER.fence(lease.fence()),
                1,
                lease.duration(),
                lease.retention());
        LeaseWatch deadline = new LeaseWatch(
                operation.record(),
                new LocalDeadline(scripted.clock(), POLICY, 0),
                new LeaseTimer(),
                POLICY.renewEvery());

        assertThat(new Attempt(
                                operation,
                                new Claim.Granted(second, Claim.GrantKind.REENTRANT),
                                deadline,
                                unobserved,
                                NO_STEPS)
                        .takeover())
                .isTrue();
        assertThat(new Attempt(
                                operation,
                                new Claim.Granted(lease, Claim.GrantKind.REENTRANT),
                                deadline,
                                unobserved,
                                NO_STEPS)
                        .takeover())
                .isFalse();
    }

    @Test
    void aListenerThatFailsHurtsNobody() throws Exception {
        List<IdempotencyEvent> heard = new ArrayList<>();
        IdempotencyEventListener broken = event -> {
            throw new NoClassDefFoundError("no metrics today");
        };
        try (IdempotentExecutor listening = IdempotentExecutor.on(store)
                .listeners(List.of(broken, heard::add))
                .clock(scripted.clock())
                .build()) {
            assertThat(listening.execute(operation, context -> done())).isInstanceOf(Outcome.Executed.class);
        }
        assertThat(heard)
                .hasExactlyElementsOfTypes(
                        IdempotencyEvent.Claimed.class,
                        IdempotencyEvent.WorkBegun.class,
                        IdempotencyEvent.Settled.class);
    }

    @Test
    void workThatEndsElsewhereIsSettledOnceAndNotAbandonedAfterItsEffect() {
        RunningOperation running = ((Admission.Granted<String>) executor.<String>begin(operation)).operation();

        assertThat(running.settle(done())).isInstanceOf(Outcome.Executed.class);
        running.abandon();

        assertThat(record().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(scripted.calls()).doesNotContain("fail");
    }

    @Test
    void workThatIsAbandonedGivesTheKeyBack() {
        RunningOperation running = ((Admission.Granted<String>) executor.<String>begin(operation)).operation();
        running.abandon();

        assertThat(record().state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void workWhoseOutcomeNobodyKnowsIsLeftToItsLease() {
        RunningOperation running = ((Admission.Granted<String>) executor.<String>begin(operation)).operation();
        running.leave();

        assertThat(record().state()).isEqualTo(RecordState.PENDING);
        assertThat(scripted.calls()).doesNotContain("fail", "complete", "reject");
    }

    @Test
    void workThatEndsAfterTheExecutorIsStillRecorded() throws Exception {
        assertThat(run(context -> {
                    executor.close();
                    return done();
                }))
                .isEqualTo(new Outcome.Executed<>("charged", RECEIPT));
    }

    @Test
    void anInterruptedThreadStillRecordsItsEffect() throws Exception {
        List<Boolean> interruptedAtComplete = new ArrayList<>();
        scripted.before(
                "complete",
                () -> interruptedAtComplete.add(Thread.currentThread().isInterrupted()));

        Outcome<String> outcome = run(context -> {
            context.publications().track(CompletableFuture.completedFuture(null), CompletableFuture::new);
            Thread.currentThread().interrupt();
            return done();
        });

        assertThat(Thread.interrupted()).as("the container sees its interrupt").isTrue();
        assertThat(outcome).isInstanceOf(Outcome.Executed.class);
        assertThat(interruptedAtComplete).containsExactly(false);
    }

    @Test
    void anInterruptedThreadStillGivesTheKeyBack() {
        List<Boolean> interruptedAtFail = new ArrayList<>();
        scripted.before(
                "fail", () -> interruptedAtFail.add(Thread.currentThread().isInterrupted()));

        assertThatThrownBy(() -> run(context -> {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("stopping");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(interruptedAtFail).containsExactly(false);
    }

    @Test
    void workWithoutResultIsReplayedWithoutOne() throws Exception {
        run(context -> new WorkResult.Complete<>("charged", StoredResult.NONE));

        assertThat(run(context -> done())).isEqualTo(new Outcome.Replayed<>(StoredResult.NONE));
    }
}
