package io.idem.engine;

import io.idem.AttemptPolicy;
import io.idem.CommitUnknownException;
import io.idem.FailurePolicy;
import io.idem.Inbox.Effect;
import io.idem.LeaseLostException;
import io.idem.Outcome;
import io.idem.Reconciliation;
import io.idem.RecordUpdate;
import io.idem.StoreUnavailableException;
import io.idem.WorkResult;
import io.idem.internal.Causes;
import io.idem.internal.NotNow;
import io.idem.spi.ExecutionEnd;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How an attempt ends, before its record says so; {@link Settling} writes it and answers. */
sealed interface Ending<T> {

    Logger LOG = LoggerFactory.getLogger(Ending.class);

    /**
     * The work took effect.
     *
     * @param packed the effect as it was committed; null if it is still to be packed
     */
    record Done<T>(WorkResult.Complete<T> effect, WorkResult.@Nullable Complete<T> packed) implements Ending<T> {}

    /** The row of an inbox says that the work took effect before. */
    record Found<T>(Effect row) implements Ending<T> {}

    /** A takeover policy or a step says what became of an earlier attempt. The work is not to run. */
    record Decided<T>(Reconciliation by) implements Ending<T> {}

    /**
     * The work took no effect: the key is given back, or the work is rejected.
     *
     * @param update a {@link RecordUpdate.Fail} or {@link RecordUpdate.Reject}
     * @param answer an outcome if the work returned, else its exception
     */
    record Undone<T>(RecordUpdate update, String why, CompletionStage<Outcome<T>> answer) implements Ending<T> {}

    /**
     * Nothing is written: the outcome is unknown, or the record says already what it has to.
     *
     * @param told what the observation of the execution says in place of the answer; null if it says the answer
     * @param running whether the work may still be running, so that it is to be told when its lease is lost
     */
    record Leave<T>(
            CompletionStage<Outcome<T>> answer, @Nullable ExecutionEnd told, boolean running) implements Ending<T> {}

    /** Returns the end of an attempt that only answers. */
    static <T> Ending<T> answered(Outcome<T> answer, @Nullable ExecutionEnd told) {
        return new Leave<>(CompletableFuture.completedFuture(answer), told, false);
    }

    /** Returns the end of an attempt without effect, which may be repeated at once. */
    static <T> Ending<T> givenBack(GrantedOperation operation, Outcome<T> answer) {
        return givenBack(operation, Duration.ZERO, "", CompletableFuture.completedFuture(answer));
    }

    /** Returns the end of an attempt without effect. If it may not be given back, its lease expires. */
    private static <T> Ending<T> givenBack(
            GrantedOperation operation, Duration delay, String why, CompletionStage<Outcome<T>> answer) {
        return operation.mayGiveBack()
                ? new Undone<>(new RecordUpdate.Fail(operation.attempt().lease(), delay), why, answer)
                : new Leave<>(answer, null, false);
    }

    /** Returns the end of an attempt whose work returned. */
    static <T> Ending<T> of(Attempt attempt, WorkResult<T> said) {
        Optional<Reconciliation> byStep = attempt.steps().end();
        if (byStep.isPresent()) {
            return new Decided<>(byStep.get());
        }
        WorkResult<T> result = ResultJudge.result(attempt, said);
        if (result instanceof WorkResult.Complete<T> complete) {
            return new Done<>(complete, null);
        }
        if (result instanceof WorkResult.Reject<T> reject) {
            Outcome<T> rejected = new Outcome.RejectedNow<>(reject.value(), reject.reason());
            return new Undone<>(
                    new RecordUpdate.Reject(attempt.lease(), reject.reason()),
                    "",
                    CompletableFuture.completedFuture(rejected));
        }
        WorkResult.Release<T> release = (WorkResult.Release<T>) result;
        Outcome<T> released = new Outcome.Released<>(release.value(), false);
        return new Undone<>(
                failed(attempt, release.delay(), release.counted()),
                release.why(),
                CompletableFuture.completedFuture(released));
    }

    /**
     * Returns the update after which another attempt follows. An attempt that asked for steps counts although it does not
     * want to, if it was the first, because a record without attempts keeps neither its payload nor those steps; or if it
     * was a takeover, because the takeover policy would be asked again although steps were done after its decision.
     */
    private static RecordUpdate failed(Attempt attempt, Duration delay, boolean counted) {
        boolean kept = attempt.steps().anyAskedFor() && (attempt.attempt() == 1 || attempt.takeover());
        return new RecordUpdate.Fail(attempt.lease(), delay, counted || kept);
    }

    /**
     * Returns the end of an attempt whose work threw. Applications wrap exceptions, so the causes of the failure are searched
     * too.
     */
    static <T> Ending<T> of(GrantedOperation operation, Throwable thrown) {
        Attempt attempt = operation.attempt();
        Throwable failure = NotNow.unlessOwn(thrown, attempt.operation().record());
        Optional<Reconciliation> byStep = attempt.steps().end();
        if (byStep.isPresent()) {
            return new Decided<>(byStep.get());
        }
        LeaseLostException lost = Causes.find(failure, LeaseLostException.class);
        if (operation.interrupted() || (lost != null && lost.lease().equals(attempt.lease()))) {
            return answered(new Outcome.InProgress<>(Duration.ZERO), ExecutionEnd.LEASE_LOST);
        }
        if (operation.stageLeftOpen()) {
            LOG.warn(
                    "The stage of {} ended by {}, which does not end its work: the key is not given back, its lease runs out and the"
                            + " next attempt is a takeover",
                    attempt.record(),
                    FailurePolicy.reason(failure));
            return new Leave<>(deferred(attempt), ExecutionEnd.LEFT, true);
        }
        if (failure instanceof StoreUnavailableException && attempt.awaitsItsRow()) {
            return givenBack(operation, Duration.ZERO, "", Stages.failed(failure));
        }
        return attempt.steps().notAnswered(failure) || Causes.include(failure, CommitUnknownException.class)
                ? notKnown(operation, failure)
                : failed(operation, failure);
    }

    /** Ends an attempt that has not failed: a part of it, or its commit, was not answered. */
    private static <T> Ending<T> notKnown(GrantedOperation operation, Throwable failure) {
        Attempt attempt = operation.attempt();
        if (attempt.steps().notAnswered(failure)) {
            LOG.warn(
                    "A part of the work of {} was not answered: the attempt has not failed, and another one follows in {}: {}",
                    attempt.record(),
                    attempt.lease().duration(),
                    FailurePolicy.reason(failure));
            attempt.observed().endsAs(ExecutionEnd.RELEASED);
            Duration lease = attempt.lease().duration();
            return givenBack(operation, lease, "a part of the work was not answered", deferred(attempt));
        }
        LOG.warn(
                "The outcome of {} is unknown, and its lease runs out: {}",
                attempt.record(),
                FailurePolicy.reason(failure),
                Causes.find(failure, CommitUnknownException.class));
        return new Leave<>(deferred(attempt), ExecutionEnd.LEFT, false);
    }

    private static <T> Ending<T> failed(GrantedOperation operation, Throwable failure) {
        Attempt attempt = operation.attempt();
        AttemptPolicy policy = attempt.policy();
        CompletionStage<Outcome<T>> thrown = Stages.failed(failure);
        NotNow call = NotNow.of(failure);
        if (call != null && operation.mayGiveBack()) {
            attempt.observed().endsAs(ExecutionEnd.RELEASED);
            return new Undone<>(
                    failed(attempt, Duration.ZERO, false), call.why().getClass().getName(), thrown);
        }
        LOG.debug("Attempt {} of {} failed: {}", attempt.attempt(), attempt.record(), FailurePolicy.reason(failure));
        String why = failure.getClass().getName();
        return operation.mayGiveBack() && policy.failures().rejects(failure)
                ? new Undone<>(new RecordUpdate.Reject(attempt.lease(), FailurePolicy.reason(failure)), why, thrown)
                : givenBack(operation, policy.backoff().after(attempt.attempt()), why, thrown);
    }

    private static <T> CompletionStage<Outcome<T>> deferred(Attempt attempt) {
        return CompletableFuture.completedFuture(
                new Outcome.InProgress<>(attempt.lease().duration()));
    }
}
