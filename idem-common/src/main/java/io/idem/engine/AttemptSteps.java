package io.idem.engine;

import io.idem.FailurePolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyEvent.StepEnded.How;
import io.idem.Inbox;
import io.idem.LeaseLostException;
import io.idem.Reconciliation;
import io.idem.RecordUpdate;
import io.idem.RefusedWorkException;
import io.idem.RememberedSteps;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.spi.Stages;
import io.idem.step.Step;
import io.idem.step.StepContext;
import io.idem.step.StepException;
import io.idem.step.StepException.Problem;
import io.idem.step.StepWork;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Steps of one attempt. Written once, in stages: those of a blocking step are complete when they are returned. Thread-safe.
 */
final class AttemptSteps {

    private static final Logger LOG = LoggerFactory.getLogger(AttemptSteps.class);

    private final Attempt attempt;
    private final boolean first;
    private final StepRunner runner;
    private @Nullable CompletableFuture<StepMemory> memory;
    private final AtomicInteger running = new AtomicInteger();
    private volatile @Nullable End end;
    private volatile @Nullable StoreUnavailableException silent;
    private volatile boolean closed;

    /** @param first whether no attempt of the record came before this one */
    AttemptSteps(Attempt attempt, boolean first, StepRunner runner) {
        this.attempt = attempt;
        this.first = first;
        this.runner = runner;
    }

    /** Returns how the attempt ends because of a step, whatever the work makes of the step's exception. */
    Optional<Reconciliation> end() {
        return Optional.ofNullable(end).map(End::how);
    }

    /** Returns whether work ended because nothing answered one of its parts. Such work has not failed. */
    boolean notAnswered(Throwable failure) {
        StoreUnavailableException unanswered = silent;
        return unanswered != null && FailurePolicy.causes(failure).anyMatch(cause -> cause == unanswered);
    }

    /** Throws what a step threw that ended the attempt, if the work has caught it. */
    void rethrowEnd() {
        End known = end;
        if (known != null) {
            throw known.thrown();
        }
        StoreUnavailableException unanswered = silent;
        if (unanswered != null) {
            throw unanswered;
        }
    }

    /** Notes that a part of the work was not run because nothing answered: the work is not done, whatever it makes of that. */
    void notAnswered(StoreUnavailableException failure) {
        silent = failure;
    }

    /** Returns whether a step is being run. */
    boolean isAnyRunning() {
        return running.get() > 0;
    }

    /** Warns of steps of earlier attempts that the work did not ask for: a release may have renamed them. */
    synchronized void warnOfThoseNotAskedFor() {
        CompletableFuture<StepMemory> read = memory;
        Set<String> left = read != null && Stages.isAnswered(read) ? read.join().notAskedFor() : Set.of();
        if (!left.isEmpty()) {
            LOG.warn(
                    "Earlier attempts ran the steps {} of {}, and this one has not asked for them: if they were renamed, they ran again"
                            + " with other keys",
                    left,
                    attempt.lease().record());
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

    /** Returns whether the work has asked for a step, which may have taken effect. */
    synchronized boolean anyAskedFor() {
        return memory != null;
    }

    /** Returns whether steps may be remembered beside the record. Those of work with an inbox are in its database. */
    synchronized boolean any() {
        return attempt.operation().inbox() == null
                && (!first
                        || (memory != null
                                && !(Stages.isAnswered(memory) && memory.join().isEmpty())));
    }

    /** Runs a step on the calling thread; see {@link IdempotencyContext#step(Step, StepWork)}. */
    <T, X extends Exception> T run(Step<T> step, StepWork<T, X> work) throws X {
        requireAllowed(step);
        StepMemory known = Stages.join(memory(runner.waiting()));
        running.incrementAndGet();
        try {
            BegunStep<T> begun = Stages.join(begin(step, known, runner.waiting()));
            return begun.ended() ? begun.result() : Stages.join(begun.remember(resultOf(begun, work)));
        } finally {
            running.decrementAndGet();
        }
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
        running.incrementAndGet();
        CompletionStage<StepMemory> memory = Stages.started(() -> {
            requireAllowed(step);
            return memory(runner.asking());
        });
        CompletionStage<T> result =
                Stages.compose(memory, known -> runner.asking().start(() -> start(step, known, work)));
        Stages.whenComplete(result, (value, failure) -> running.decrementAndGet());
        return result;
    }

    private <T> CompletionStage<T> start(
            Step<T> step, StepMemory known, Function<StepContext, CompletionStage<T>> work) {
        return Stages.compose(begin(step, known, runner.asking()), begun -> {
            if (begun.ended()) {
                return CompletableFuture.completedFuture(begun.result());
            }
            return Stages.compose(started(begun, work), (result, failure) -> {
                if (failure == null) {
                    return runner.asking().start(() -> begun.remember(result));
                }
                begun.tell(How.FAILED);
                return Stages.failed(failure);
            });
        });
    }

    private static <T> CompletionStage<T> started(BegunStep<T> begun, Function<StepContext, CompletionStage<T>> work) {
        return Stages.started(() -> {
            try (IdempotencyContext.Binding unused = begun.working().bind()) {
                return work.apply(begun.step());
            }
        });
    }

    private <T> CompletionStage<BegunStep<T>> begin(Step<T> step, StepMemory known, Lane lane) {
        known.use(step);
        return new BegunStep<>(step, attempt, known, lane, runner).begin();
    }

    private void requireAllowed(Step<?> step) {
        if (attempt.operation().inbox() != null) {
            requireNoTransaction(step);
        }
        if (IdempotencyContext.current().orElse(null) instanceof RunningStep outer && outer.isOf(attempt)) {
            throw outer.nested(step);
        }
        requireGoingOn(step);
    }

    private void requireNoTransaction(Step<?> step) {
        LocalPhase phase = attempt.localPhase();
        if (phase == null) {
            throw new RefusedWorkException(
                    "Step \"" + step + "\" runs in the transaction of an inbox, which would hold a"
                            + " connection meanwhile and take the memory of the step back with a roll-back; let the transaction be"
                            + " the last phase of the work (transaction = LAST_PHASE)");
        }
        if (phase.wasBegun()) {
            throw new RefusedWorkException(
                    "Step \"" + step + "\" begins in or after inTransaction, while the transaction of the"
                            + " inbox is open; run all steps before it");
        }
        phase.requireNoTransaction();
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
    private CompletionStage<StepMemory> memory(Lane lane) {
        CompletableFuture<StepMemory> read = new CompletableFuture<>();
        synchronized (this) {
            if (memory != null) {
                return memory;
            }
            memory = read;
        }
        CompletionStage<StepMemory> found = hasNothingToRead()
                ? CompletableFuture.completedFuture(memoryOf(RememberedSteps.NONE))
                : Stages.map(
                        written(new RecordUpdate.Recall(attempt.lease()), lane),
                        answer -> memoryOf(
                                answer instanceof StoreAnswer.Recalled recalled
                                        ? recalled.steps()
                                        : RememberedSteps.NONE));
        Stages.whenComplete(found, (steps, failure) -> {
            if (failure == null) {
                silent = null;
                read.complete(steps);
            } else {
                synchronized (this) {
                    memory = null;
                }
                if (failure instanceof StoreUnavailableException unanswered) {
                    notAnswered(unanswered);
                }
                read.completeExceptionally(failure);
            }
        });
        return read;
    }

    /**
     * Returns whether the grant has told that there are no steps, because it comes from where they are kept. A store beside the
     * inbox does not tell that: it may have lost the record.
     */
    private boolean hasNothingToRead() {
        Inbox inbox = attempt.operation().inbox();
        return first && (inbox == null || inbox.keepsRecords());
    }

    /** Returns what is known. A store that lost the record calls the attempt the first one; the database of an inbox knows better. */
    private StepMemory memoryOf(RememberedSteps steps) {
        boolean none = steps.life() == 0;
        return new StepMemory(none ? attempt.lease().fence() : steps.life(), first && none, steps);
    }

    /** Sends an update. Fails with {@link LeaseLostException} if another owner has the record. */
    CompletionStage<StoreAnswer> written(RecordUpdate update, Lane lane) {
        return Stages.map(lane.update(update), answer -> {
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
