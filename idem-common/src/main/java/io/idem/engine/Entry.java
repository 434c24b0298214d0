package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Admission;
import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyEvent;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OwnerToken;
import io.idem.Reconciliation;
import io.idem.spi.RecordStore;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How an attempt begins, from its request to its grant. Shared by the blocking and the asynchronous form. */
final class Entry {

    private static final Logger LOG = LoggerFactory.getLogger(Entry.class);

    private final Engine engine;
    private final StepRunner steps;
    private final Settling settling;

    Entry(Engine engine, Lane lane, StepRunner steps) {
        this.engine = engine;
        this.steps = steps;
        this.settling = engine.settling(lane);
    }

    /**
     * Creates the request of an attempt. Called once per attempt, outside the retries of the store, so that a repeated
     * acquire carries the same owner token and is recognised. After an attempt that was not answered it has the owner token
     * of that one.
     */
    AcquireRequest request(Operation operation) {
        ExecutionPolicy policy = operation.policy();
        return engine.givenUp()
                .resumed(new AcquireRequest(
                        operation.record(),
                        OwnerToken.random(engine.random()),
                        policy.lease(),
                        policy.retention(),
                        operation.fingerprint(),
                        0,
                        policy.maxAttempts()));
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
        GrantedOperation operation = new GrantedOperation(attempt, settling, beat(attempt));
        if (attempt.stillOwner()) {
            return CompletableFuture.completedFuture(new Admission.Granted<>(operation));
        }
        LOG.warn(
                "The grant of {} arrived after its lease had ended; nothing is run and the key is acquired again",
                attempt.lease().record());
        return answered(operation, Ending.givenBack(operation, new Outcome.InProgress<>(Duration.ZERO)));
    }

    /** Ends an attempt whose work is not to run. */
    private static <T> CompletionStage<Admission<T>> answered(GrantedOperation operation, Ending<T> ending) {
        try (Interrupts unused = Interrupts.defer()) {
            return Stages.map(
                    operation.settling(ending), answer -> new Admission.Answered<>((Outcome.NotRun<T>) answer));
        }
    }

    /** Begins an attempt that no store has granted: its inbox row decides. */
    GrantedOperation ungranted(Operation operation, AcquireRequest request, Observed observed, RecordStore store) {
        Attempt attempt = engine.ungranted(operation, request, observed);
        return new GrantedOperation(attempt, engine.settling(new CallerLane(store)), () -> {});
    }

    /** Starts the renewals. The key is given back if no thread can be had for them: the work will not start. */
    private Heartbeat.Beat beat(Attempt attempt) {
        try {
            return engine.heartbeat().start(attempt);
        } catch (Throwable noThread) {
            var unused = new GrantedOperation(attempt, settling, () -> {}).abandoning();
            throw noThread;
        }
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
                : answered(operation, new Ending.Decided<>(decision));
    }

    /** Asks the takeover policy. A failure ends the renewals here, because no caller holds the operation yet. */
    private Reconciliation ruling(GrantedOperation operation) {
        try {
            return engine.takeovers().decide(operation.attempt());
        } catch (Throwable unexpected) {
            operation.leave(null, false);
            throw unexpected;
        }
    }
}
