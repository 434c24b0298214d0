package io.idem;

import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordState;
import io.idem.spi.Settlement;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Life of a granted attempt: renewed from its grant, settled once. */
class GrantedOperation implements RunningOperation {

    private static final Logger LOG = LoggerFactory.getLogger(GrantedOperation.class);

    private final Attempt attempt;
    private final IdempotencyStore store;
    private final Recorder recorder;
    private final EventSource events;
    private final Results results;
    private final Heartbeat.Beat beat;
    private volatile boolean tookEffect;
    private volatile boolean interrupted;

    GrantedOperation(
            Attempt attempt,
            IdempotencyStore store,
            Recorder recorder,
            EventSource events,
            Results results,
            Heartbeat.Beat beat) {
        this.attempt = attempt;
        this.store = store;
        this.recorder = recorder;
        this.events = events;
        this.results = results;
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
    public <T> Verdict<T> call(Work<T> work) throws Exception {
        Verdict<T> said = attempt.policy().interruptOnLostLease()
                ? callInterruptibly(work)
                : CurrentContext.runWith(attempt, work);
        return ResultJudge.judge(attempt, said);
    }

    private <T> Verdict<T> callInterruptibly(Work<T> work) throws Exception {
        LostLeaseInterrupt interrupt = LostLeaseInterrupt.of(attempt::onLeaseLost);
        try (interrupt) {
            return CurrentContext.runWith(attempt, work);
        } finally {
            interrupted |= interrupt.sent();
        }
    }

    /** Whether the work was interrupted because its lease was lost: what it throws follows from that. */
    boolean interrupted() {
        return interrupted;
    }

    /** Goes on renewing until the answer is there: confirmations may take long. */
    @Override
    public <T> Outcome<T> settle(Verdict<T> verdict) {
        attempt.workEnded();
        try (beat) {
            return Uninterrupted.call(() -> settled(verdict));
        }
    }

    private <T> Outcome<T> settled(Verdict<T> verdict) {
        if (verdict instanceof Verdict.Complete<T> complete) {
            tookEffect();
            return recorded(new Results.Packing<>(complete, results.packOrOmit(attempt.lease(), complete)));
        }
        if (verdict instanceof Verdict.Reject<T> reject) {
            return rejected(reject);
        }
        giveBack(((Verdict.Release<T>) verdict).delay());
        return new Outcome.Released<>(verdict.value());
    }

    /** Settles work whose result is in the form that is kept. */
    <T> Outcome<T> settlePacked(Results.Packing<T> packing) {
        attempt.workEnded();
        try (beat) {
            return Uninterrupted.call(() -> recorded(packing));
        }
    }

    private <T> Outcome<T> recorded(Results.Packing<T> packing) {
        return results.unpacked(attempt.lease().record(), packing, recorder.record(attempt, packing.packed()));
    }

    /** Notes that the effect is durable: from now on the key is not given back. */
    void tookEffect() {
        tookEffect = true;
    }

    /** Where somebody else took the record over, it is theirs to say how the work ends. */
    private <T> Outcome<T> rejected(Verdict.Reject<T> verdict) {
        Optional<Settlement> answer =
                write(() -> store.reject(attempt.lease(), verdict.reason()), RecordState.REJECTED);
        if (answer.isPresent() && answer.get() instanceof Settlement.Lost lost) {
            if (lost.state() == RecordState.COMPLETED) {
                return new Outcome.Replayed<>(
                        results.unpackSettled(attempt.lease().record(), lost.result()));
            }
            if (lost.state() == RecordState.PENDING) {
                return new Outcome.InProgress<>(Duration.ZERO);
            }
        }
        return new Outcome.Terminated<>(verdict.value(), verdict.reason());
    }

    @Override
    public void abandon() {
        leaveUnsettled();
        if (mayGiveBack()) {
            Uninterrupted.call(() -> giveBack(Duration.ZERO));
        }
    }

    /** Ends an attempt whose work threw, as the scope's policy says. */
    void failed(Throwable failure) {
        leaveUnsettled();
        if (!mayGiveBack()) {
            return;
        }
        AttemptPolicy policy = attempt.policy();
        if (policy.failures().rejects(failure)) {
            String reason = FailurePolicy.reason(failure);
            Uninterrupted.call(() -> write(() -> store.reject(attempt.lease(), reason), RecordState.REJECTED));
        } else {
            Uninterrupted.call(() -> giveBack(policy.backoff().after(attempt.attempt())));
        }
    }

    private boolean mayGiveBack() {
        return !tookEffect && !attempt.undecided();
    }

    /** Ends the attempt without settling: its outcome is unknown, or the record is not its own any more. */
    void leaveUnsettled() {
        attempt.workEnded();
        beat.close();
    }

    private Optional<Settlement> giveBack(Duration delay) {
        return write(() -> store.fail(attempt.lease(), delay), RecordState.FAILED);
    }

    /** Writes the end of an attempt without effect, best effort. */
    private Optional<Settlement> write(Supplier<Settlement> call, RecordState state) {
        try {
            Settlement settlement = call.get();
            events.publishEnd(attempt.lease(), settlement, state);
            return Optional.of(settlement);
        } catch (RuntimeException silent) {
            LOG.warn(
                    "{} could not be marked {} ({}); its lease runs out by itself and another attempt follows",
                    attempt.lease().record(),
                    state,
                    silent.getMessage());
            return Optional.empty();
        }
    }
}
