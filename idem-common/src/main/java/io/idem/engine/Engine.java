package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Admission;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyEventListener;
import io.idem.Lease;
import io.idem.MonotonicClock;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.ResultCodec;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.ResultPipeline;
import io.micrometer.observation.ObservationRegistry;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;

/** Parts that all operations share. Thread-safe. */
record Engine(
        IdempotencyStore store,
        EventSource events,
        MonotonicClock clock,
        SecureRandom random,
        Heartbeat heartbeat,
        Results results,
        LeaseTimer timer,
        Takeovers takeovers,
        Observations observations,
        GivenUpAcquires givenUp,
        StepRunner steps)
        implements AutoCloseable {

    static Engine of(
            IdempotencyStore store,
            List<IdempotencyEventListener> listeners,
            MonotonicClock clock,
            ResultPipeline pipeline,
            ResultCodec codec,
            ObservationRegistry registry,
            boolean logFields) {
        EventSource events = new EventSource(listeners);
        Results results = new Results(pipeline, events);
        return new Engine(
                store,
                events,
                clock,
                new SecureRandom(),
                new Heartbeat(store, clock),
                results,
                new LeaseTimer(),
                new Takeovers(events, results),
                new Observations(registry, logFields, new UsualDurations(clock)),
                new GivenUpAcquires(store),
                StepRunner.on(store, results, codec, events, clock));
    }

    /** Returns an operation as earlier versions knew its payload, to ask once more if the answer is that the record is of another one. */
    static Optional<Operation> former(Operation operation, Outcome<?> answer) {
        Fingerprint former = operation.fingerprint().former();
        return answer instanceof Outcome.Mismatch && !former.equals(operation.fingerprint())
                ? Optional.of(operation.withFingerprint(former))
                : Optional.empty();
    }

    static Optional<Operation> former(Operation operation, Admission<?> answer) {
        return answer instanceof Admission.Answered<?> answered
                ? former(operation, answered.outcome())
                : Optional.empty();
    }

    Observed observe(Operation operation) {
        return new Observed(operation, observations);
    }

    /** Returns the outcome of a claim that lets no work run. */
    <T> Outcome.NotRun<T> answer(Operation operation, Claim claim) {
        return operation.intake() && claim instanceof Claim.InProgress inProgress
                ? new Outcome.InProgress<>(observations.durations().retryAfter(operation, inProgress.remaining()))
                : results.answer(operation.record(), claim);
    }

    Settling settling(Lane lane) {
        return new Settling(lane, heartbeat, events, results, new Restorer(lane, events, results, random));
    }

    LeaseWatch watch(Operation operation, long sentAt) {
        return watch(operation, new LocalDeadline(clock, operation.policy(), sentAt));
    }

    private LeaseWatch watch(Operation operation, LocalDeadline deadline) {
        return new LeaseWatch(
                operation.record(), deadline, timer, operation.policy().renewEvery());
    }

    /** Returns an attempt that no store grants: its inbox row decides. It has no lease that could end. */
    Attempt ungranted(Operation operation, AcquireRequest request, Observed observed) {
        Lease lease = new Lease(
                operation.record(), request.owner(), Attempt.NOT_GRANTED, 1, request.lease(), request.retention());
        LeaseWatch endless = watch(operation, LocalDeadline.none());
        return new Attempt(operation, new Claim.Granted(lease, Claim.GrantKind.FRESH), endless, observed, steps);
    }

    @Override
    public void close() {
        heartbeat.close();
        timer.close();
        givenUp.close();
    }
}
