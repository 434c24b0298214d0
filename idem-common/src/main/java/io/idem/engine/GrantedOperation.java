package io.idem.engine;

import io.idem.AsyncWork;
import io.idem.FailurePolicy;
import io.idem.IdempotencyContext;
import io.idem.Outcome;
import io.idem.Reconciliation;
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
import org.jspecify.annotations.Nullable;

/**
 * An attempt until its end is recorded, once. A granted one is renewed until then; one that no store granted ends with its inbox row.
 */
final class GrantedOperation implements RunningOperation {

    private final Attempt attempt;
    private final Settling settling;
    private final Heartbeat.Beat beat;
    private volatile boolean tookEffect;
    private volatile boolean interrupted;
    private volatile boolean stageLeftOpen;

    GrantedOperation(Attempt attempt, Settling settling, Heartbeat.Beat beat) {
        this.attempt = attempt;
        this.settling = settling;
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

    /** Notes that the effect is durable: from now on the key is not released. */
    void tookEffect() {
        tookEffect = true;
    }

    boolean mayGiveBack() {
        return !tookEffect && !attempt.undecided();
    }

    @Override
    public <T> Outcome<T> settle(WorkResult<T> result) {
        try (Interrupts unused = Interrupts.defer()) {
            return Stages.join(settling(Ending.of(attempt, result)));
        }
    }

    /** Records an end on the thread of the caller. */
    <T> Outcome<T> settle(Ending<T> ending) throws Exception {
        try (Interrupts unused = Interrupts.defer()) {
            return Stages.joinOrThrow(settling(ending));
        }
    }

    /** Returns the end of an attempt whose work threw. If an exception or a policy of the application fails, the lease runs out. */
    <T> Ending<T> ending(Throwable failure) {
        try {
            return Ending.of(this, failure);
        } catch (Throwable unexpected) {
            leave(null, false);
            throw unexpected;
        }
    }

    /**
     * Records an end. The lease of an attempt whose work returned is renewed until the store answered, because
     * confirmations may take long.
     */
    <T> CompletionStage<Outcome<T>> settling(Ending<T> ending) {
        if (ending instanceof Ending.Leave<T> leave) {
            leave(leave.told(), leave.running());
        } else {
            attempt.settling();
        }
        if (ending instanceof Ending.Undone<T> undone && !Stages.isAnswered(undone.answer())) {
            beat.close();
        }
        if (ending instanceof Ending.Done) {
            tookEffect = true;
        }
        CompletionStage<Outcome<T>> started;
        try {
            started = settling.settle(attempt, ending);
        } catch (Throwable thrown) {
            started = Stages.failed(thrown);
        }
        return attempt.observed().endedBy(beat.until(started));
    }

    /** Waits for at most one lease until all messages are confirmed; records nothing. */
    boolean confirmed() {
        attempt.workEnded();
        try (Interrupts unused = Interrupts.defer()) {
            return Stages.join(settling.confirmed(attempt)).isEmpty();
        }
    }

    @Override
    public void abandon() {
        try (Interrupts unused = Interrupts.defer()) {
            boolean unusedAnswer = Stages.join(abandoning());
        }
    }

    /** Releases the key if no effect may have happened; false if nothing was written. */
    CompletionStage<Boolean> abandoning() {
        leave(null, false);
        return Stages.map(abandoned(attempt.steps().end().orElse(null)), answer -> {
            attempt.observed().ended(ExecutionEnd.RELEASED, null);
            return answer.isPresent();
        });
    }

    private CompletionStage<Optional<StoreAnswer>> abandoned(@Nullable Reconciliation byStep) {
        if (byStep instanceof Reconciliation.Reject reject) {
            return settling.write(attempt, new RecordUpdate.Reject(attempt.lease(), reject.reason()), "");
        }
        return byStep == null && mayGiveBack()
                ? settling.write(attempt, new RecordUpdate.Fail(attempt.lease(), Duration.ZERO), "")
                : CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public void leave() {
        leave(ExecutionEnd.LEFT, false);
    }

    /** Ends the renewals without an update: the outcome is unknown, or the record belongs to another owner. */
    void leave(@Nullable ExecutionEnd told, boolean running) {
        if (!running) {
            attempt.workEnded();
        }
        beat.close();
        if (told != null) {
            attempt.observed().ended(told, null);
        }
    }
}
