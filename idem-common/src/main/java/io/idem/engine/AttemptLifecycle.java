package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Admission;
import io.idem.Claim;
import io.idem.CommitUnknownException;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyEvent;
import io.idem.LeaseLostException;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OwnerToken;
import io.idem.Reconciliation;
import io.idem.StoreUnavailableException;
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

/**
 * Lifecycle of an attempt, from the answer to its acquire to its end. Shared by the blocking and the asynchronous form.
 */
final class AttemptLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(AttemptLifecycle.class);

    private final Engine engine;
    private final Lane lane;
    private final StepRunner steps;
    private final Recorder recorder;

    AttemptLifecycle(Engine engine, Lane lane, StepRunner steps) {
        this.engine = engine;
        this.lane = lane;
        this.steps = steps;
        this.recorder = engine.recorder(lane);
    }

    /**
     * Creates the request of an attempt. Called once per attempt, outside the retries of the store, so that a repeated
     * acquire carries the same owner token and is recognised. See {@link #asking} for an attempt after one that was not
     * answered.
     */
    AcquireRequest request(Operation operation) {
        ExecutionPolicy policy = operation.policy();
        return new AcquireRequest(
                operation.record(),
                OwnerToken.random(engine.random()),
                policy.lease(),
                policy.retention(),
                operation.fingerprint(),
                0,
                policy.maxAttempts());
    }

    /**
     * Returns the request to send: with the owner token of an earlier attempt if the store has not answered that one.
     */
    AcquireRequest asking(AcquireRequest request) {
        return engine.givenUp().resumed(request);
    }

    /** Handles the end of an acquire; the failure is null after an answer. */
    void asked(AcquireRequest request, @Nullable Throwable failure) {
        if (failure == null) {
            engine.givenUp().answered(request);
        } else {
            engine.givenUp().failed(request, failure);
        }
    }

    /** Handles the answer to an acquire that was sent at {@code sentAt}. */
    <T> CompletionStage<Admission<T>> claimed(Operation operation, Observed observed, long sentAt, Claim claim) {
        observed.acquired(claim);
        engine.events().publish(new IdempotencyEvent.Claimed(operation.record(), claim));
        if (claim instanceof Claim.Granted granted) {
            return granted(new Attempt(operation, granted, engine.watch(operation, sentAt), observed, steps));
        }
        return CompletableFuture.completedFuture(new Admission.Answered<>(engine.answer(operation, claim)));
    }

    private <T> CompletionStage<Admission<T>> granted(Attempt attempt) {
        // Where a takeover has to be decided first, the decision is logged instead.
        if (attempt.takeover() && !attempt.undecided()) {
            LOG.info(
                    "{} is taken over from an owner whose lease has lapsed, as attempt {}",
                    attempt.lease().record(),
                    attempt.attempt());
        }
        GrantedOperation operation = new GrantedOperation(
                attempt,
                lane,
                recorder,
                engine.events(),
                engine.results(),
                engine.heartbeat().start(attempt));
        if (attempt.stillOwner()) {
            return CompletableFuture.completedFuture(new Admission.Granted<>(operation));
        }
        LOG.warn(
                "The grant of {} arrived after its lease had ended; nothing is run and the key is acquired again",
                attempt.lease().record());
        return Stages.map(
                Interrupts.defer(operation::abandoning),
                given -> new Admission.Answered<>(new Outcome.InProgress<>(Duration.ZERO)));
    }

    /** Returns whether an earlier attempt left nothing to decide. */
    boolean isDecided(Admission<?> admission) {
        return !(admission instanceof Admission.Granted<?> granted)
                || !((GrantedOperation) granted.operation()).attempt().undecided();
    }

    /** Decides about the unknown outcome of an earlier attempt before the work may run. */
    <T> CompletionStage<Admission<T>> decided(Admission<T> admission) {
        if (!(admission instanceof Admission.Granted<T> granted)) {
            return CompletableFuture.completedFuture(admission);
        }
        GrantedOperation operation = (GrantedOperation) granted.operation();
        Reconciliation decision = ruling(operation);
        return decision instanceof Reconciliation.NotDone
                ? CompletableFuture.completedFuture(granted)
                : Stages.map(Interrupts.defer(() -> operation.<T>answering(decision)), Admission.Answered<T>::new);
    }

    /** Asks the takeover policy. A failure ends the renewals here, because no caller holds the operation yet. */
    private Reconciliation ruling(GrantedOperation operation) {
        try {
            return engine.takeovers().decide(operation.attempt());
        } catch (Throwable unexpected) {
            operation.leaveUnsettled();
            throw unexpected;
        }
    }

    /**
     * Ends an attempt that failed. The stage fails with {@code thrown}, or with what it means, unless the attempt is to be deferred.
     * Applications wrap exceptions, so the causes of the failure are searched too.
     */
    <T> CompletionStage<Outcome<T>> withoutEffect(GrantedOperation granted, Throwable thrown) {
        Attempt attempt = granted.attempt();
        Throwable failure = NotNow.unlessOwn(thrown, attempt.operation().record());
        Optional<Reconciliation> endedByStep = attempt.steps().end();
        if (endedByStep.isPresent()) {
            return granted.endedByStep(endedByStep.get());
        }
        Optional<LeaseLostException> lost = Optional.ofNullable(Causes.find(failure, LeaseLostException.class))
                .filter(found -> found.lease().equals(attempt.lease()));
        if (lost.isPresent() || granted.interrupted()) {
            granted.leaveUnsettled();
            attempt.observed().ended(ExecutionEnd.LEASE_LOST, null);
            engine.events().publish(new IdempotencyEvent.LeaseLost(attempt.lease()));
            return CompletableFuture.completedFuture(new Outcome.InProgress<>(Duration.ZERO));
        }
        if (granted.stageLeftOpen()) {
            LOG.warn(
                    "The stage of {} ended by {}, which does not end its work: the key is not given back, its lease runs out and the"
                            + " next attempt is a takeover",
                    attempt.lease().record(),
                    failure.toString());
            granted.leaveRunning();
            return CompletableFuture.completedFuture(
                    new Outcome.InProgress<>(attempt.lease().duration()));
        }
        if (failure instanceof StoreUnavailableException && attempt.awaitsItsRow()) {
            return Stages.compose(granted.abandoning(), given -> Stages.failed(failure));
        }
        if (attempt.steps().notAnswered(failure)) {
            LOG.warn(
                    "A part of the work of {} was not answered: the attempt has not failed, and another one follows in {}: {}",
                    attempt.lease().record(),
                    attempt.lease().duration(),
                    failure.toString());
            return Stages.map(
                    granted.deferring(),
                    given -> new Outcome.InProgress<>(attempt.lease().duration()));
        }
        if (Causes.include(failure, CommitUnknownException.class)) {
            LOG.warn("{}", failure.getMessage(), failure);
            granted.leave();
            return CompletableFuture.completedFuture(
                    new Outcome.InProgress<>(attempt.lease().duration()));
        }
        NotNow call = NotNow.of(failure);
        if (call != null && granted.mayGiveBack()) {
            return Stages.compose(granted.settling(call.release(failure)), released -> Stages.failed(failure));
        }
        return Stages.compose(granted.failing(failure), ended -> {
            attempt.observed().ended(ExecutionEnd.FAILED, failure);
            return Stages.failed(failure);
        });
    }
}
