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
final class GrantedOperation implements RunningOperation {

    private static final Logger LOG = LoggerFactory.getLogger(GrantedOperation.class);

    private final Attempt attempt;
    private final IdempotencyStore store;
    private final Recorder recorder;
    private final EventSource events;
    private final Results results;
    private final Heartbeat.Beat beat;
    private volatile boolean tookEffect;

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
        return CurrentContext.runWith(attempt, work);
    }

    /** Goes on renewing until the answer is there: confirmations may take long. */
    @Override
    public <T> Outcome<T> settle(Verdict<T> verdict) {
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
        beat.close();
        if (!tookEffect) {
            Uninterrupted.call(() -> giveBack(Duration.ZERO));
        }
    }

    /** Ends the attempt without settling: its outcome is unknown, or the record is not its own any more. */
    void leaveUnsettled() {
        beat.close();
    }

    private Optional<Settlement> giveBack(Duration delay) {
        return write(() -> store.fail(attempt.lease(), delay), RecordState.FAILED);
    }

    /** Writes the end of an attempt without effect, best effort. */
    private Optional<Settlement> write(Supplier<Settlement> call, RecordState state) {
        try {
            Settlement settlement = call.get();
            if (settlement instanceof Settlement.Ok) {
                events.publish(new IdempotencyEvent.Settled(attempt.lease(), state));
            } else if (settlement instanceof Settlement.Lost) {
                events.publish(new IdempotencyEvent.LeaseLost(attempt.lease()));
            }
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
