package io.idem;

import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordState;
import io.idem.spi.Settlement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Life of a granted attempt: renewed from its grant, settled once. */
final class GrantedOperation implements RunningOperation {

    private static final Logger LOG = LoggerFactory.getLogger(GrantedOperation.class);

    private final Attempt attempt;
    private final IdempotencyStore store;
    private final Recorder recorder;
    private final EventSource events;
    private final Heartbeat.Beat beat;
    private volatile boolean tookEffect;

    GrantedOperation(
            Attempt attempt, IdempotencyStore store, Recorder recorder, EventSource events, Heartbeat.Beat beat) {
        this.attempt = attempt;
        this.store = store;
        this.recorder = recorder;
        this.events = events;
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

    @Override
    public <T> Outcome<T> settle(Verdict<T> verdict) {
        beat.close();
        if (verdict instanceof Verdict.Complete<T> complete) {
            tookEffect = true;
            return recorder.record(attempt, complete);
        }
        if (verdict instanceof Verdict.Reject<T> reject) {
            settled(() -> store.reject(attempt.lease(), reject.reason()), RecordState.REJECTED);
            return new Outcome.Terminated<>(reject.value(), reject.reason());
        }
        giveBack(((Verdict.Release<T>) verdict).delay());
        return new Outcome.Released<>(verdict.value());
    }

    @Override
    public void abandon() {
        beat.close();
        if (!tookEffect) {
            giveBack(Duration.ZERO);
        }
    }

    /** Ends the attempt without settling: its outcome is unknown, or the record is not its own any more. */
    void leaveUnsettled() {
        beat.close();
    }

    private void giveBack(Duration delay) {
        settled(() -> store.fail(attempt.lease(), delay), RecordState.FAILED);
    }

    private void settled(Write write, RecordState state) {
        try {
            Settlement settlement = write.send();
            if (settlement instanceof Settlement.Ok) {
                events.publish(new IdempotencyEvent.Settled(attempt.lease(), state));
            } else if (settlement instanceof Settlement.Lost lost) {
                events.publish(new IdempotencyEvent.RecordLost(attempt.lease(), lost.state()));
            }
        } catch (RuntimeException silent) {
            LOG.warn(
                    "{} could not be marked {} ({}); its lease runs out by itself and another attempt follows",
                    attempt.lease().record(),
                    state,
                    silent.getMessage());
        }
    }

    @FunctionalInterface
    private interface Write {
        Settlement send();
    }
}
