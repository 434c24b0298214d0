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
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.ResultCodec;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.internal.DaemonThreads;
import io.idem.internal.Tags;
import io.idem.spi.Stages;
import io.idem.step.Step;
import io.idem.step.StepContext;
import io.idem.step.StepException;
import io.idem.step.StepException.Problem;
import io.idem.step.StepFinding;
import io.micrometer.observation.Observation;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A step that an attempt uses, from the decision whether its work runs to its stored result. Used by one thread at a time. */
final class BegunStep<T> {

    private static final Logger LOG = LoggerFactory.getLogger(BegunStep.class);

    /** The pause before a step whose storing was not answered is stored again, beside the retries of the store. */
    private static final Executor LATER = DaemonThreads.after(Duration.ofMillis(100));

    private final Step<T> of;
    private final Attempt attempt;
    private final StepMemory known;
    private final Lane lane;
    private final StepRunner runner;
    private final String derivedKey;

    /** The lease that binds the stored result to the step. */
    private final Lease lease;

    private final long since;
    private Observation observed = Observation.NOOP;
    private boolean ended;
    private @Nullable T result;

    BegunStep(Step<T> of, Attempt attempt, StepMemory known, Lane lane, StepRunner runner) {
        this.of = of;
        this.attempt = attempt;
        this.known = known;
        this.lane = lane;
        this.runner = runner;
        this.derivedKey = DerivedKeys.derive(attempt.key().parent().id(), attempt.scope(), "step", of.id());
        Lease whole = attempt.lease();
        RecordId record = new RecordId(new IdempotencyKey(attempt.key().tenant(), derivedKey), attempt.scope());
        this.lease =
                new Lease(record, whole.owner(), whole.fence(), whole.attempt(), whole.duration(), whole.retention());
        this.since = runner.clock().nanoTime();
    }

    /** Decides about the step. If it has not {@linkplain #ended ended} then, its work is to run. */
    CompletionStage<BegunStep<T>> begin() {
        Optional<StoredResult> kept = known.result(of);
        if (kept.isPresent()) {
            end(How.REMEMBERED, decoded(kept.get()));
            return CompletableFuture.completedFuture(this);
        }
        if (!known.isFirst() && of.reconciler().isPresent()) {
            return reconciled(found(of.reconciler().get()));
        }
        if (of.rejectsWhenUnknown() && known.hasBegun(of) && !attempt.isFirstAfterReopening()) {
            throw rejected(
                    "step \"" + of + "\" may have been done by an earlier attempt",
                    Problem.REJECTED,
                    "may have been done by an earlier attempt, and a person must decide");
        }
        attempt.steps().requireOwner(of);
        if (!of.rejectsWhenUnknown()) {
            return CompletableFuture.completedFuture(this);
        }
        return Stages.map(untilStored(Kind.BEGUN, StoredResult.NONE), stored -> {
            known.begun(of);
            attempt.steps().requireOwner(of);
            return this;
        });
    }

    private @Nullable T decoded(StoredResult kept) {
        if (kept.equals(StoredResult.OMITTED)) {
            throw rejected(
                    "step \"" + of + "\" was done, but its result was not kept",
                    Problem.RESULT_NOT_KEPT,
                    "was done by an earlier attempt, but its result was not kept");
        }
        return read(runner.results().unpackStep(lease.record(), of, kept), false);
    }

    /**
     * Reads the result as every attempt reads it.
     *
     * @param isNew whether it was written just now, and so must not have lost anything
     */
    @SuppressWarnings("unchecked") // the type of the step says what T is
    private @Nullable T read(StoredResult encoded, boolean isNew) {
        ResultCodec codec = runner.codec();
        try {
            T read = (T) codec.decode(encoded, of.type());
            if (isNew) {
                Results.requireSame(encoded, read, codec);
            }
            return read;
        } catch (RuntimeException unfit) {
            String message = "was done, but its result does not come back as "
                    + of.type().getTypeName() + " from its stored form: " + unfit.getMessage();
            throw rejected("step \"" + of + "\" " + message, Problem.UNFIT, message);
        }
    }

    /** Asks the reconciler. Its calls to other services are counted apart from those of the work and of the step. */
    @SuppressWarnings("CatchingUnchecked") // Kotlin and others throw checked exceptions without declaring them
    private StepFinding<T> found(Function<StepContext, StepFinding<T>> reconciler) {
        String key = DerivedKeys.derive(derivedKey, attempt.scope(), "reconcile", of.id());
        IdempotencyContext.Binding binding = new RunningStep(attempt, of.id(), key, Observation.NOOP).bind();
        try {
            return Objects.requireNonNull(reconciler.apply(step()), "The reconciler returned null");
        } catch (Exception unknown) {
            LOG.warn(
                    "The reconciler of step {} of {} failed; the attempt is deferred",
                    of,
                    attempt.lease().record(),
                    unknown);
            throw deferred("could not be looked up", unknown);
        } finally {
            binding.close();
        }
    }

    private CompletionStage<BegunStep<T>> reconciled(StepFinding<T> finding) {
        if (finding instanceof StepFinding.Done<T> done) {
            return Stages.map(remember(done.result(), How.FOUND), stored -> this);
        }
        if (finding instanceof StepFinding.Reject<T> reject) {
            throw rejected(reject.reason(), Problem.REJECTED, "is rejected: " + reject.reason());
        }
        if (finding instanceof StepFinding.AskAgain<T>) {
            throw deferred("may have been done; it is not known yet", null);
        }
        attempt.steps().requireOwner(of);
        return CompletableFuture.completedFuture(this);
    }

    private StepException rejected(String reason, Problem problem, String message) {
        StepException refusal = new StepException(of.id(), problem, message);
        attempt.steps().endBy(new Reconciliation.Reject(reason), refusal);
        tell(How.REJECTED);
        return refusal;
    }

    private StepException deferred(String message, @Nullable Throwable cause) {
        StepException refusal = new StepException(of.id(), Problem.UNDECIDED, message, cause);
        attempt.steps().endBy(new Reconciliation.AskAgain(), refusal);
        tell(How.UNDECIDED);
        return refusal;
    }

    StepContext step() {
        return new StepContext(of.ownKey().orElse(derivedKey), of.id(), attempt.fence(), !known.isFirst());
    }

    /** Returns the context in which the work begins now. */
    RunningStep working() {
        observed = attempt.observed().step(of.name());
        return new RunningStep(attempt, of.id(), derivedKey, observed);
    }

    /** Returns whether the step has its result without running. */
    boolean ended() {
        return ended;
    }

    @SuppressWarnings("NullAway") // the result of a step may be null where its type allows that
    T result() {
        return result;
    }

    /** Stores the result of the work; the stage ends with what later attempts will read. */
    CompletionStage<T> remember(@Nullable T value) {
        return remember(value, How.RAN);
    }

    private CompletionStage<T> remember(@Nullable T value, How how) {
        StoredResult encoded = runner.results().encodeStep(lease, of, value, runner.codec());
        StoredResult packed = runner.results().packStep(lease, encoded);
        StoredResult kept = known.done(of, packed);
        if (kept.equals(StoredResult.OMITTED) && !packed.equals(kept)) {
            LOG.warn(
                    "The result of step {} of {} no longer fits beside those of the other steps and is not kept; an attempt after this"
                            + " one is rejected. Return less",
                    of,
                    attempt.lease().record());
        }
        return Stages.handle(
                untilStored(Kind.DONE, kept),
                answer -> {
                    T read = encoded.equals(StoredResult.OMITTED) ? value : read(encoded, true);
                    end(kept.equals(StoredResult.OMITTED) ? How.RESULT_NOT_KEPT : how, read);
                    return read;
                },
                failure -> {
                    tell(How.LOST);
                    throw failure;
                });
    }

    private CompletionStage<StoreAnswer> untilStored(Kind kind, StoredResult kept) {
        return untilStored(new RecordUpdate.Remember(
                attempt.lease(), known.life(), new RememberedStep(of.id(), kind, lease.fence(), kept)));
    }

    /**
     * Sends the same update until it is answered, or until the local end of the lease. Without an answer the attempt is
     * deferred: what follows must not build on a step that is perhaps not stored.
     */
    private CompletionStage<StoreAnswer> untilStored(RecordUpdate update) {
        return Stages.compose(attempt.steps().written(update, lane), (answer, failure) -> {
            if (failure == null) {
                return CompletableFuture.completedFuture(answer);
            }
            if (failure instanceof StoreUnavailableException && attempt.stillOwner()) {
                return CompletableFuture.supplyAsync(() -> untilStored(update), LATER)
                        .thenCompose(again -> again);
            }
            if (failure instanceof RuntimeException thrown && !(failure instanceof LeaseLostException)) {
                attempt.steps().endBy(new Reconciliation.AskAgain(), thrown);
            }
            return Stages.failed(failure);
        });
    }

    private void end(How how, @Nullable T with) {
        ended = true;
        result = with;
        tell(how);
    }

    /** Tells the listeners and observers of the end of the step. */
    void tell(How how) {
        Observed.stop(observed.lowCardinalityKeyValue("how", Tags.of(how)), null);
        Duration took = how == How.REMEMBERED
                ? Duration.ZERO
                : Duration.ofNanos(runner.clock().nanoTime() - since);
        runner.events().publish(new IdempotencyEvent.StepEnded(attempt.lease(), of.name(), how, took));
    }
}
