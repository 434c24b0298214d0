package io.idem.engine;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyEvent.StepEnded.How;
import io.idem.Lease;
import io.idem.LeaseLostException;
import io.idem.Reconciliation;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.StoreAnswer;
import io.idem.spi.RecordStore;
import io.idem.spi.Stages;
import io.idem.step.Step;
import io.idem.step.StepContext;
import io.idem.step.StepException;
import io.idem.step.StepException.Problem;
import io.idem.step.StepWork;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Steps of one attempt. Written once, in stages: those of a blocking step are complete when they are returned. Thread-safe.
 */
final class AttemptSteps {

    private final Attempt attempt;
    private final boolean first;
    private final StepRunner runner;
    private @Nullable CompletableFuture<StepMemory> memory;
    private volatile @Nullable End end;
    private volatile boolean closed;

    /** @param first whether no attempt of the record came before this one */
    AttemptSteps(Attempt attempt, boolean first, StepRunner runner) {
        this.attempt = attempt;
        this.first = first;
        this.runner = runner;
    }

    /** Returns whether no attempt of the record came before this one. */
    boolean isFirst() {
        return first;
    }

    /** Returns how the attempt ends because of a step, whatever the work makes of the step's exception. */
    Optional<Reconciliation> end() {
        return Optional.ofNullable(end).map(End::how);
    }

    /** Throws what a step threw that ended the attempt, if the work has caught it. */
    void rethrowEnd() {
        End known = end;
        if (known != null) {
            throw known.thrown();
        }
    }

    /** Notes that the work has ended. Steps that run may still be remembered; no other one begins. */
    void close() {
        closed = true;
    }

    /** Notes that a step ends the attempt. A rejection is not replaced by a later end. */
    synchronized void endBy(Reconciliation how, RuntimeException thrown) {
        boolean rejects = how instanceof Reconciliation.Reject;
        if (end == null || (rejects && !(end.how() instanceof Reconciliation.Reject))) {
            end = new End(how, thrown);
        }
    }

    /** Returns whether steps may be remembered beside the record. */
    synchronized boolean any() {
        return !first
                || (memory != null
                        && !(Stages.isAnswered(memory) && memory.join().isEmpty()));
    }

    /** Runs a step on the calling thread; see {@link IdempotencyContext#step(Step, StepWork)}. */
    <T, X extends Exception> T run(Step<T> step, StepWork<T, X> work) throws X {
        requireAllowed(step);
        StepMemory known = Stages.join(memory(runner.waiting()));
        BegunStep<T> begun = Stages.join(begin(step, known, runner.waiting()));
        return begun.ended() ? begun.result() : Stages.join(begun.remember(resultOf(begun, work)));
    }

    private <T, X extends Exception> T resultOf(BegunStep<T> begun, StepWork<T, X> work) throws X {
        IdempotencyContext.Binding binding = begun.working().bind();
        try {
            return work.run(begun.step());
        } catch (Throwable failure) {
            begun.tell(How.FAILED);
            throw failure;
        } finally {
            binding.close();
        }
    }

    /** Starts a step; see {@link IdempotencyContext#stepAsync}. */
    <T> CompletionStage<T> start(Step<T> step, Function<StepContext, CompletionStage<T>> work) {
        CompletionStage<StepMemory> memory = Stages.started(() -> {
            requireAllowed(step);
            return memory(runner.asking());
        });
        return Stages.compose(memory, known -> runner.onWorker(() -> start(step, known, work)));
    }

    private <T> CompletionStage<T> start(
            Step<T> step, StepMemory known, Function<StepContext, CompletionStage<T>> work) {
        return Stages.compose(begin(step, known, runner.asking()), begun -> {
            if (begun.ended()) {
                return CompletableFuture.completedFuture(begun.result());
            }
            return Stages.compose(started(begun, work), (result, failure) -> {
                if (failure == null) {
                    return runner.onWorker(() -> begun.remember(result));
                }
                begun.tell(How.FAILED);
                return Stages.failed(failure);
            });
        });
    }

    private static <T> CompletionStage<T> started(BegunStep<T> begun, Function<StepContext, CompletionStage<T>> work) {
        return Stages.started(() -> {
            IdempotencyContext.Binding binding = begun.working().bind();
            try {
                return work.apply(begun.step());
            } finally {
                binding.close();
            }
        });
    }

    private <T> CompletionStage<BegunStep<T>> begin(Step<T> step, StepMemory known, RecordStore store) {
        known.use(step);
        return new BegunStep<>(step, attempt, known, store, runner).begin();
    }

    private void requireAllowed(Step<?> step) {
        if (attempt.operation().inbox() != null) {
            throw new IllegalStateException(
                    "Step \"" + step + "\" runs in the transaction of an inbox, which would hold a"
                            + " connection meanwhile and take the memory of the step back with a roll-back; use steps in work without"
                            + " an inbox");
        }
        if (IdempotencyContext.current().orElse(null) instanceof RunningStep outer && outer.isOf(attempt)) {
            throw outer.nested(step);
        }
        requireGoingOn(step);
    }

    /** Checks, as late as possible, that the work goes on and that its lease is live. */
    void requireOwner(Step<?> step) {
        requireGoingOn(step);
        attempt.requireOwner();
    }

    private void requireGoingOn(Step<?> step) {
        if (end != null) {
            throw new StepException(
                    step.id(), Problem.UNDECIDED, "was not begun: an earlier step has ended the attempt");
        }
        if (closed) {
            throw new IllegalStateException(
                    "Step \"" + step + "\" begins after its work has ended, beside which another"
                            + " attempt may run; end the work when all of its steps have ended");
        }
    }

    /** Reads what earlier attempts remembered, once. The first attempt of a record has nothing to read. */
    private CompletionStage<StepMemory> memory(RecordStore store) {
        CompletableFuture<StepMemory> read = new CompletableFuture<>();
        synchronized (this) {
            if (memory != null) {
                return memory;
            }
            memory = read;
        }
        Lease lease = attempt.lease();
        CompletionStage<StepMemory> found = first
                ? CompletableFuture.completedFuture(new StepMemory(lease.fence(), RememberedSteps.NONE))
                : Stages.map(written(new RecordUpdate.Recall(lease), store), AttemptSteps::recalled)
                        .thenApply(steps -> new StepMemory(steps.life() == 0 ? lease.fence() : steps.life(), steps));
        Stages.whenComplete(found, (steps, failure) -> {
            if (failure == null) {
                read.complete(steps);
            } else {
                forgetFailedRead();
                read.completeExceptionally(failure);
            }
        });
        return read;
    }

    private synchronized void forgetFailedRead() {
        memory = null;
    }

    private static RememberedSteps recalled(StoreAnswer answer) {
        return answer instanceof StoreAnswer.Recalled recalled ? recalled.steps() : RememberedSteps.NONE;
    }

    /** Sends an update. Fails with {@link LeaseLostException} if another owner has the record. */
    CompletionStage<StoreAnswer> written(RecordUpdate update, RecordStore store) {
        return Stages.map(store.update(List.of(update)).get(0), answer -> {
            if (answer instanceof StoreAnswer.Lost || answer instanceof StoreAnswer.AlreadySettled) {
                attempt.lost();
                throw new LeaseLostException(attempt.lease());
            }
            return answer;
        });
    }

    /**
     * An end of the attempt that a step asked for.
     *
     * @param thrown what the step threw
     */
    private record End(Reconciliation how, RuntimeException thrown) {}
}
