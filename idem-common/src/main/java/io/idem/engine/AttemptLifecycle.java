package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Admission;
import io.idem.Claim;
import io.idem.CommitUnknownException;
import io.idem.ExecutionPolicy;
import io.idem.FailurePolicy;
import io.idem.IdempotencyEvent;
import io.idem.Inbox;
import io.idem.LeaseLostException;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OwnerToken;
import io.idem.Reconciliation;
import io.idem.spi.ExecutionEnd;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lifecycle of an attempt, from the answer to its acquire to its end, shared by the blocking and the asynchronous form. */
final class AttemptLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(AttemptLifecycle.class);

    private final Engine engine;
    private final StoreAccess access;
    private final Recorder recorder;
    private final TakeoverAnswers answers;

    AttemptLifecycle(Engine engine, StoreAccess access) {
        this.engine = engine;
        this.access = access;
        this.recorder = engine.recorder(access, engine.restorer(access));
        this.answers = new TakeoverAnswers(access, engine.events(), engine.results());
    }

    TakeoverAnswers answers() {
        return answers;
    }

    /**
     * Made once per attempt, outside the store's retries: a repeated acquire must recognise itself. So must one that follows an attempt
     * that was never answered, see {@link #asking}.
     */
    AcquireRequest request(Operation operation) {
        ExecutionPolicy policy = operation.policy();
        Inbox inbox = operation.inbox();
        return new AcquireRequest(
                operation.record(),
                OwnerToken.random(engine.random()),
                policy.lease(),
                policy.retention(),
                operation.fingerprint(),
                inbox == null ? 0 : inbox.fenceFloor(operation.record()),
                policy.maxAttempts());
    }

    /** The request as it is sent: with an earlier attempt's owner token if the store has not answered that one. */
    AcquireRequest asking(AcquireRequest request) {
        return engine.givenUp().resumed(request);
    }

    /** Takes in how an acquire ended; the failure is null after an answer. */
    void asked(AcquireRequest request, @Nullable Throwable failure) {
        if (failure == null) {
            engine.givenUp().answered(request);
        } else {
            engine.givenUp().failed(request, failure);
        }
    }

    /** Takes in the answer to an acquire that was sent at {@code sentAt}. */
    <T> CompletionStage<Admission<T>> claimed(Operation operation, Observed observed, long sentAt, Claim claim) {
        observed.acquired(claim);
        engine.events().publish(new IdempotencyEvent.Claimed(operation.record(), claim));
        if (claim instanceof Claim.Granted granted) {
            return granted(new Attempt(operation, granted, engine.watch(operation.policy(), sentAt), observed));
        }
        return CompletableFuture.completedFuture(new Admission.Answered<>(engine.answer(operation, claim)));
    }

    private <T> CompletionStage<Admission<T>> granted(Attempt attempt) {
        // Where somebody has to decide first, the decision says it.
        if (attempt.takeover() && !attempt.undecided()) {
            LOG.info(
                    "{} is taken over from an owner whose lease has lapsed, as attempt {}",
                    attempt.lease().record(),
                    attempt.attempt());
        }
        GrantedOperation operation = new GrantedOperation(
                attempt,
                access,
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

    /** Whether there is nothing that an earlier attempt left open. */
    boolean isDecided(Admission<?> admission) {
        return !(admission instanceof Admission.Granted<?> granted)
                || !((GrantedOperation) granted.operation()).attempt().undecided();
    }

    /** What an earlier attempt left open is decided before the work may run. */
    <T> CompletionStage<Admission<T>> decided(Admission<T> admission) {
        if (!(admission instanceof Admission.Granted<T> granted)) {
            return CompletableFuture.completedFuture(admission);
        }
        GrantedOperation operation = (GrantedOperation) granted.operation();
        Reconciliation decision = ruling(operation);
        return decision instanceof Reconciliation.NotDone
                ? CompletableFuture.completedFuture(granted)
                : Stages.map(
                        Interrupts.defer(() -> answers.<T>answering(operation, decision)), Admission.Answered<T>::new);
    }

    /** Nobody else would end the renewals of an attempt whose beginning fails. */
    private Reconciliation ruling(GrantedOperation operation) {
        try {
            return engine.takeovers().decide(operation.attempt());
        } catch (Throwable unexpected) {
            operation.leaveUnsettled();
            throw unexpected;
        }
    }

    /**
     * Ends an attempt that failed; the stage fails with {@code failure} unless that means that the attempt is to be deferred.
     * Applications wrap exceptions on their way: what ended the attempt is looked for among the causes.
     */
    <T> CompletionStage<Outcome<T>> withoutEffect(GrantedOperation granted, Throwable failure) {
        Attempt attempt = granted.attempt();
        Optional<LeaseLostException> lost = cause(failure, LeaseLostException.class)
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
        if (cause(failure, CommitUnknownException.class).isPresent()) {
            LOG.warn("{}", failure.getMessage(), failure);
            granted.leave();
            return CompletableFuture.completedFuture(
                    new Outcome.InProgress<>(attempt.lease().duration()));
        }
        return Stages.compose(granted.failing(failure), ended -> {
            attempt.observed().ended(ExecutionEnd.FAILED, failure);
            return Stages.failed(failure);
        });
    }

    private static <X> Optional<X> cause(Throwable failure, Class<X> type) {
        return FailurePolicy.causes(failure)
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst();
    }
}
