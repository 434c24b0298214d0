package io.idem.engine;

import io.idem.AsyncWork;
import io.idem.AttemptPolicy;
import io.idem.FailurePolicy;
import io.idem.IdempotencyContext;
import io.idem.Outcome;
import io.idem.Reconciliation;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RunningOperation;
import io.idem.StoreAnswer;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.spi.ExecutionEnd;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An attempt until its end is recorded, once. A granted one is renewed until then; one that no store granted ends with its inbox row.
 */
final class GrantedOperation implements RunningOperation {

    private static final Logger LOG = LoggerFactory.getLogger(GrantedOperation.class);

    private final Attempt attempt;
    private final Lane lane;
    private final Recorder recorder;
    private final EventSource events;
    private final Results results;
    private final Heartbeat.Beat beat;
    private volatile boolean tookEffect;
    private volatile boolean interrupted;
    private volatile boolean stageLeftOpen;

    GrantedOperation(
            Attempt attempt, Lane lane, Recorder recorder, EventSource events, Results results, Heartbeat.Beat beat) {
        this.attempt = attempt;
        this.lane = lane;
        this.recorder = recorder;
        this.events = events;
        this.results = results;
        this.beat = beat;
    }

    Attempt attempt() {
        return attempt;
    }

    @Override
    public IdempotencyContext context() {
        return attempt;
    }

    @Override
    public <T> WorkResult<T> call(Work<T> work) throws Exception {
        return judged(bound(() -> work.run(attempt)));
    }

    /** Starts asynchronous work; the stage ends with its result, or with the exception it throws. */
    <T> CompletionStage<WorkResult<T>> start(AsyncWork<T> work) {
        CompletionStage<WorkResult<T>> said;
        try {
            said = bound(() -> work.start(attempt));
        } catch (Throwable thrown) {
            return Stages.failed(thrown);
        }
        return Stages.handle(said, this::judged, failure -> {
            stageLeftOpen = FailurePolicy.leavesStageOpen(failure);
            throw failure;
        });
    }

    private <T> WorkResult<T> judged(WorkResult<T> said) {
        attempt.steps().rethrowEnd();
        return ResultJudge.judge(attempt, ResultJudge.result(attempt, said));
    }

    private <V> V bound(Callable<V> part) throws Exception {
        return attempt.policy().interruptOnLostLease() ? callInterruptibly(part) : attempt.call(part);
    }

    private <V> V callInterruptibly(Callable<V> part) throws Exception {
        LostLeaseInterrupt interrupt = LostLeaseInterrupt.of(attempt::onLeaseLost);
        try (interrupt) {
            return attempt.call(part);
        } finally {
            interrupted |= interrupt.sent();
        }
    }

    /**
     * Returns whether the work was interrupted because its lease was lost; exceptions of the work are then a
     * consequence.
     */
    boolean interrupted() {
        return interrupted;
    }

    /**
     * Returns whether the stage of the work ended by a timeout or a cancellation, so that the work may still be
     * running.
     */
    boolean stageLeftOpen() {
        return stageLeftOpen;
    }

    /** Records the result. The lease is renewed until the store answered, because confirmations may take long. */
    @Override
    public <T> Outcome<T> settle(WorkResult<T> result) {
        return Interrupts.defer(() -> Stages.join(settling(result)));
    }

    <T> CompletionStage<Outcome<T>> settling(WorkResult<T> said) {
        WorkResult<T> result = ResultJudge.result(attempt, said);
        Optional<Reconciliation> byStep = attempt.steps().end();
        if (byStep.isPresent()) {
            return endedByStep(byStep.get());
        }
        attempt.settling();
        if (result instanceof WorkResult.Complete) {
            tookEffect = true;
            attempt.steps().warnOfThoseNotAskedFor();
        }
        return attempt.observed()
                .endedBy(beat.during(() -> result instanceof WorkResult.Complete<T> complete
                        ? recorder.record(attempt, results.packing(attempt.lease(), complete))
                        : settledWithoutEffect(result)));
    }

    /** Ends an attempt as one of its steps asked for, whatever the work made of that. */
    <T> CompletionStage<Outcome<T>> endedByStep(Reconciliation end) {
        return attempt.observed().endedBy(Stages.map(this.<T>answering(end), answer -> answer));
    }

    /** Records the decision about an earlier attempt and answers; the work of this one is not to run. */
    <T> CompletionStage<Outcome.NotRun<T>> answering(Reconciliation decision) {
        return new TakeoverAnswers(lane, events, results).answering(this, decision);
    }

    private <T> CompletionStage<Outcome<T>> settledWithoutEffect(WorkResult<T> result) {
        if (result instanceof WorkResult.Reject<T> reject) {
            return rejected(reject);
        }
        WorkResult.Release<T> release = (WorkResult.Release<T>) result;
        // A record of no attempts would forget the payload of the steps, and a takeover would be decided again after
        // them.
        boolean kept = attempt.steps().anyAskedFor() && (attempt.attempt() == 1 || attempt.takeover());
        boolean counted = release.counted() || kept;
        return Stages.map(
                write(
                        new RecordUpdate.Fail(attempt.lease(), release.delay(), counted),
                        RecordState.FAILED,
                        release.why()),
                given -> new Outcome.Released<>(result.value(), false));
    }

    /** Records work whose result is packed already. */
    <T> Outcome<T> settlePacked(Results.Packing<T> packing) {
        attempt.settling();
        attempt.steps().warnOfThoseNotAskedFor();
        return Interrupts.defer(() -> Stages.join(beat.during(() -> recorder.record(attempt, packing))));
    }

    /** Waits for at most one lease until all messages are confirmed; records nothing. */
    boolean confirmed() {
        attempt.workEnded();
        return Interrupts.defer(() -> Stages.join(lane.confirmed(
                        attempt.barrier(), attempt.operation().policy().lease())))
                .isEmpty();
    }

    /** Notes that the effect is durable: from now on the key is not released. */
    void tookEffect() {
        tookEffect = true;
    }

    /** Rejects the record. If another owner took it over, the outcome is the one of that owner. */
    private <T> CompletionStage<Outcome<T>> rejected(WorkResult.Reject<T> result) {
        return Stages.map(
                write(new RecordUpdate.Reject(attempt.lease(), result.reason()), RecordState.REJECTED, ""),
                answer -> rejected(result, answer));
    }

    private <T> Outcome<T> rejected(WorkResult.Reject<T> result, Optional<StoreAnswer> answer) {
        if (answer.isPresent() && answer.get() instanceof StoreAnswer.Lost lost) {
            if (lost.state() == RecordState.COMPLETED) {
                return new Outcome.Replayed<>(
                        results.unpackSettled(attempt.lease().record(), lost.result()));
            }
            if (lost.state() == RecordState.PENDING) {
                return new Outcome.InProgress<>(Duration.ZERO);
            }
        }
        return new Outcome.RejectedNow<>(result.value(), result.reason());
    }

    @Override
    public void abandon() {
        var unused = Interrupts.defer(() -> Stages.join(abandoning()));
        attempt.observed().ended(ExecutionEnd.RELEASED, null);
    }

    @Override
    public void leave() {
        leaveUnsettled();
        attempt.observed().ended(ExecutionEnd.LEFT, null);
    }

    /** Leaves the lease to expire while the work may be running: the work is still told when the lease is lost. */
    void leaveRunning() {
        beat.close();
        attempt.observed().ended(ExecutionEnd.LEFT, null);
    }

    /** Releases the key if no effect may have happened; empty if nothing was written. */
    CompletionStage<Optional<StoreAnswer>> abandoning() {
        leaveUnsettled();
        Reconciliation byStep = attempt.steps().end().orElse(null);
        if (byStep instanceof Reconciliation.Reject reject) {
            return write(new RecordUpdate.Reject(attempt.lease(), reject.reason()), RecordState.REJECTED, "");
        }
        if (byStep != null) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return mayGiveBack() ? giveBack(Duration.ZERO, "") : CompletableFuture.completedFuture(Optional.empty());
    }

    /** Ends an attempt whose work threw, as the scope's policy says; empty if nothing was written. */
    CompletionStage<Optional<StoreAnswer>> failing(Throwable failure) {
        leaveUnsettled();
        attempt.observed().settling();
        if (!mayGiveBack()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        LOG.debug("Attempt {} of {} failed: {}", attempt.attempt(), attempt.record(), failure.toString());
        AttemptPolicy policy = attempt.policy();
        return policy.failures().rejects(failure)
                ? write(
                        new RecordUpdate.Reject(attempt.lease(), FailurePolicy.reason(failure)),
                        RecordState.REJECTED,
                        failure.getClass().getName())
                : giveBack(
                        policy.backoff().after(attempt.attempt()),
                        failure.getClass().getName());
    }

    /** Ends an attempt that has not failed, so that another one follows after a lease; empty if nothing was written. */
    CompletionStage<Optional<StoreAnswer>> deferring() {
        leaveUnsettled();
        attempt.observed().ended(ExecutionEnd.RELEASED, null);
        return mayGiveBack()
                ? giveBack(attempt.lease().duration(), "a part of the work was not answered")
                : CompletableFuture.completedFuture(Optional.empty());
    }

    boolean mayGiveBack() {
        return !tookEffect && !attempt.undecided();
    }

    /** Ends the attempt without an update: its outcome is unknown, or the record belongs to another owner. */
    void leaveUnsettled() {
        attempt.workEnded();
        beat.close();
    }

    private CompletionStage<Optional<StoreAnswer>> giveBack(Duration delay, String why) {
        return write(new RecordUpdate.Fail(attempt.lease(), delay), RecordState.FAILED, why);
    }

    /** Writes the end of an attempt without effect, best effort. Without a grant or a claimed row there is nothing to end. */
    private CompletionStage<Optional<StoreAnswer>> write(RecordUpdate request, RecordState state, String why) {
        if (!attempt.owns()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return Stages.handle(lane.update(request), answer -> ended(answer, state, why), failure -> {
            Recorder.silence(failure);
            LOG.warn(
                    "{} could not be marked {} ({}); another attempt follows, after the lease has run out if there is one",
                    attempt.lease().record(),
                    state,
                    failure.getMessage());
            return Optional.empty();
        });
    }

    private Optional<StoreAnswer> ended(StoreAnswer answer, RecordState state, String why) {
        events.publishEnd(attempt.lease(), answer, state, why);
        return Optional.of(answer);
    }
}
