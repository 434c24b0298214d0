package io.idem.engine;

import io.idem.DerivedKeys;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyEvent.StepEnded.How;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.LeaseLostException;
import io.idem.Reconciliation;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.spi.ObservedStep;
import io.idem.spi.RecordStore;
import io.idem.spi.Stages;
import io.idem.step.Step;
import io.idem.step.StepContext;
import io.idem.step.StepException;
import io.idem.step.StepException.Problem;
import io.idem.step.StepFinding;
import io.idem.step.StepWork;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Steps of one attempt. Written once, in stages: those of a blocking step are complete when they are returned. Thread-safe.
 */
final class AttemptSteps {

    private static final Logger LOG = LoggerFactory.getLogger(AttemptSteps.class);

    /** The pause before a step whose storing was not answered is stored again, beside the retries of the store. */
    private static final Executor LATER = CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);

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
    private synchronized void endBy(Reconciliation how, RuntimeException thrown) {
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
        Begun<T> begun = Stages.join(begin(step, known, runner.waiting()));
        return begun.ended() ? begun.result() : Stages.join(begun.remember(resultOf(begun, work)));
    }

    private <T, X extends Exception> T resultOf(Begun<T> begun, StepWork<T, X> work) throws X {
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

    private static <T> CompletionStage<T> started(Begun<T> begun, Function<StepContext, CompletionStage<T>> work) {
        return Stages.started(() -> {
            IdempotencyContext.Binding binding = begun.working().bind();
            try {
                return work.apply(begun.step());
            } finally {
                binding.close();
            }
        });
    }

    private <T> CompletionStage<Begun<T>> begin(Step<T> step, StepMemory known, RecordStore store) {
        known.use(step);
        Begun<T> begun = new Begun<>(step, known, store);
        Optional<StoredResult> kept = known.result(step);
        if (kept.isPresent()) {
            begun.end(How.REMEMBERED, decoded(begun, kept.get()));
            return CompletableFuture.completedFuture(begun);
        }
        return decided(begun);
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
    private void requireOwner(Step<?> step) {
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
    private CompletionStage<StoreAnswer> written(RecordUpdate update, RecordStore store) {
        return Stages.map(store.update(List.of(update)).get(0), answer -> {
            if (answer instanceof StoreAnswer.Lost || answer instanceof StoreAnswer.AlreadySettled) {
                attempt.lost();
                throw new LeaseLostException(attempt.lease());
            }
            return answer;
        });
    }

    private <T> @Nullable T decoded(Begun<T> begun, StoredResult kept) {
        if (kept.equals(StoredResult.OMITTED)) {
            throw begun.refused(
                    new Reconciliation.Reject(
                            "step \"" + begun.step().id() + "\" was done, but its result was not kept"),
                    Problem.RESULT_NOT_KEPT,
                    "was done by an earlier attempt, but its result was not kept",
                    null);
        }
        return runner.results().unpackStep(begun.lease.record(), begun.of, kept, runner.codec());
    }

    /** Decides whether the work of a step without a remembered result may run. */
    private <T> CompletionStage<Begun<T>> decided(Begun<T> begun) {
        Step<T> step = begun.of;
        if (!first && step.reconciler().isPresent()) {
            return reconciled(begun, step.reconciler().get());
        }
        if (step.rejectsWhenUnknown() && begun.known.hasBegun(step) && !attempt.isFirstAfterReopening()) {
            String reason = "step \"" + step + "\" may have been done by an earlier attempt";
            throw begun.refused(
                    new Reconciliation.Reject(reason),
                    Problem.REJECTED,
                    "may have been done by an earlier attempt, and a person must decide",
                    null);
        }
        requireOwner(step);
        return step.rejectsWhenUnknown() ? begun.marked() : CompletableFuture.completedFuture(begun);
    }

    private <T> CompletionStage<Begun<T>> reconciled(Begun<T> begun, Function<StepContext, StepFinding<T>> reconciler) {
        StepFinding<T> finding = begun.found(reconciler);
        if (finding instanceof StepFinding.Done<T> done) {
            return Stages.map(begun.remember(done.result(), How.FOUND), result -> begun);
        }
        if (finding instanceof StepFinding.Reject<T> reject) {
            throw begun.refused(
                    new Reconciliation.Reject(reject.reason()),
                    Problem.REJECTED,
                    "is rejected: " + reject.reason(),
                    null);
        }
        if (finding instanceof StepFinding.AskAgain<T>) {
            throw begun.refused(
                    new Reconciliation.AskAgain(), Problem.UNDECIDED, "may have been done; it is not known yet", null);
        }
        requireOwner(begun.of);
        return CompletableFuture.completedFuture(begun);
    }

    /**
     * An end of the attempt that a step asked for.
     *
     * @param thrown what the step threw
     */
    private record End(Reconciliation how, RuntimeException thrown) {}

    /** A step that this attempt uses. */
    private final class Begun<T> {

        private final Step<T> of;
        private final StepMemory known;
        private final RecordStore store;
        private final String derivedKey;
        private final Lease lease;
        private final long since = runner.clock().nanoTime();
        private ObservedStep observed = ObservedStep.NONE;
        private boolean ended;
        private @Nullable T result;

        Begun(Step<T> of, StepMemory known, RecordStore store) {
            this.of = of;
            this.known = known;
            this.store = store;
            this.derivedKey =
                    DerivedKeys.derive(attempt.key().id(), runner.firstName(attempt.scope()), "step", of.id());
            this.lease = leaseOf(attempt.lease());
        }

        /** Returns a lease that binds the stored result to the step. */
        private Lease leaseOf(Lease whole) {
            RecordId record = new RecordId(new IdempotencyKey(attempt.key().tenant(), derivedKey), attempt.scope());
            return new Lease(
                    record, whole.owner(), whole.fence(), whole.attempt(), whole.duration(), whole.retention());
        }

        StepContext step() {
            return new StepContext(of.ownKey().orElse(derivedKey), of.id(), attempt.fence(), !first);
        }

        /** Returns the context in which the work begins now. */
        RunningStep working() {
            observed = attempt.observed().step(of.name());
            return new RunningStep(attempt, of.id(), derivedKey, observed);
        }

        /** Asks the reconciler. Its calls to other services are counted apart from those of the work and of the step. */
        @SuppressWarnings("CatchingUnchecked") // Kotlin and others throw checked exceptions without declaring them
        StepFinding<T> found(Function<StepContext, StepFinding<T>> reconciler) {
            String key = DerivedKeys.derive(derivedKey, attempt.scope(), "reconcile", of.id());
            IdempotencyContext.Binding binding = new RunningStep(attempt, of.id(), key, ObservedStep.NONE).bind();
            try {
                return Objects.requireNonNull(reconciler.apply(step()), "The reconciler returned null");
            } catch (Exception unknown) {
                LOG.warn(
                        "The reconciler of step {} of {} failed; the attempt is deferred",
                        of,
                        attempt.lease().record(),
                        unknown);
                throw refused(new Reconciliation.AskAgain(), Problem.UNDECIDED, "could not be looked up", unknown);
            } finally {
                binding.close();
            }
        }

        boolean ended() {
            return ended;
        }

        @SuppressWarnings("NullAway") // the result of a step may be null where its type allows that
        T result() {
            return result;
        }

        void end(How how, @Nullable T with) {
            ended = true;
            result = with;
            tell(how);
        }

        void tell(How how) {
            observed.ended(how);
            Duration took = how == How.REMEMBERED
                    ? Duration.ZERO
                    : Duration.ofNanos(runner.clock().nanoTime() - since);
            runner.events().publish(new IdempotencyEvent.StepEnded(attempt.lease(), of.name(), how, took));
        }

        StepException refused(Reconciliation how, Problem problem, String message, @Nullable Throwable cause) {
            StepException refusal = new StepException(of.id(), problem, message, cause);
            endBy(how, refusal);
            tell(problem == Problem.UNDECIDED ? How.UNDECIDED : How.REJECTED);
            return refusal;
        }

        /** Stores that the step begins, before it does. */
        CompletionStage<Begun<T>> marked() {
            RememberedStep mark = new RememberedStep(of.id(), Kind.BEGUN, lease.fence(), StoredResult.NONE);
            return Stages.map(untilStored(new RecordUpdate.Remember(attempt.lease(), known.life(), mark)), stored -> {
                known.begun(of);
                requireOwner(of);
                return this;
            });
        }

        CompletionStage<T> remember(@Nullable T value) {
            return remember(value, How.RAN);
        }

        CompletionStage<T> remember(@Nullable T value, How how) {
            StoredResult packed = runner.results().packStep(lease, of, value, runner.codec());
            StoredResult kept = known.done(of, packed);
            if (kept.equals(StoredResult.OMITTED) && !packed.equals(kept)) {
                LOG.warn(
                        "The result of step {} of {} no longer fits beside those of the other steps and is not kept; an attempt after this"
                                + " one is rejected. Return less",
                        of,
                        attempt.lease().record());
            }
            RememberedStep done = new RememberedStep(of.id(), Kind.DONE, lease.fence(), kept);
            CompletionStage<StoreAnswer> stored =
                    untilStored(new RecordUpdate.Remember(attempt.lease(), known.life(), done));
            return Stages.handle(
                    stored,
                    answer -> {
                        end(kept.equals(StoredResult.OMITTED) ? How.RESULT_NOT_KEPT : how, value);
                        return value;
                    },
                    failure -> {
                        tell(How.LOST);
                        throw failure;
                    });
        }

        /**
         * Sends the same update until it is answered, or until the local end of the lease. Without an answer the attempt
         * is deferred: what follows must not build on a step that is perhaps not stored.
         */
        private CompletionStage<StoreAnswer> untilStored(RecordUpdate update) {
            return Stages.compose(written(update, store), (answer, failure) -> {
                if (failure == null) {
                    return CompletableFuture.completedFuture(answer);
                }
                if (failure instanceof StoreUnavailableException && attempt.stillOwner()) {
                    return CompletableFuture.supplyAsync(() -> untilStored(update), LATER)
                            .thenCompose(again -> again);
                }
                if (failure instanceof RuntimeException thrown && !(failure instanceof LeaseLostException)) {
                    endBy(new Reconciliation.AskAgain(), thrown);
                }
                return Stages.failed(failure);
            });
        }
    }
}
