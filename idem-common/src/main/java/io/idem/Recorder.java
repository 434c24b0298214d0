package io.idem;

import io.idem.Outcome.Obstacle;
import io.idem.StoreUnavailableException.Execution;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordState;
import io.idem.spi.Settlement;
import io.idem.spi.StoredResult;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records an effect that is durable: confirmations first, then COMPLETE. Nothing here may call the effect a failure, so nothing
 * here throws.
 */
final class Recorder {

    private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);

    private final IdempotencyStore store;
    private final Heartbeat heartbeat;
    private final EventSource events;
    private final Restorer restorer;

    Recorder(IdempotencyStore store, Heartbeat heartbeat, EventSource events, Restorer restorer) {
        this.store = store;
        this.heartbeat = heartbeat;
        this.events = events;
        this.restorer = restorer;
    }

    /** Blocks for at most one lease on confirmations, and on the store's own retries. The caller renews the lease meanwhile. */
    <T> Outcome<T> record(Attempt attempt, Verdict.Complete<T> effect) {
        Optional<Throwable> unconfirmed =
                attempt.barrier().await(attempt.operation().policy().lease());
        return unconfirmed.isPresent()
                ? unrecorded(attempt, effect, new Obstacle.Unconfirmed(unconfirmed.get()))
                : complete(attempt, effect);
    }

    private <T> Outcome<T> again(Attempt attempt, Verdict.Complete<T> effect) {
        try (Heartbeat.Beat beat = heartbeat.start(attempt)) {
            return Uninterrupted.call(() -> record(attempt, effect));
        }
    }

    private <T> Outcome<T> complete(Attempt attempt, Verdict.Complete<T> effect) {
        try {
            return answer(attempt, effect, store.complete(attempt.lease(), effect.result()));
        } catch (UnreadableRecordException overwritten) {
            LOG.error("{}", overwritten.getMessage());
            return lost(attempt, effect, RecordState.ABSENT);
        } catch (RuntimeException silent) {
            return unrecorded(attempt, effect, new Obstacle.StoreSilent(silence(silent)));
        }
    }

    private <T> Outcome<T> answer(Attempt attempt, Verdict.Complete<T> effect, Settlement settlement) {
        if (settlement instanceof Settlement.Ok ok) {
            events.publish(new IdempotencyEvent.Settled(attempt.lease(), RecordState.COMPLETED));
            return new Outcome.Executed<>(effect.value(), ok.result());
        }
        if (settlement instanceof Settlement.Lost lost && lost.state() == RecordState.COMPLETED) {
            return superseded(attempt, effect, lost.result());
        }
        return lost(attempt, effect, settlement instanceof Settlement.Lost lost ? lost.state() : RecordState.PENDING);
    }

    private <T> Outcome<T> superseded(Attempt attempt, Verdict.Complete<T> effect, StoredResult stored) {
        return restorer.superseded(attempt, effect, stored);
    }

    private <T> Outcome<T> lost(Attempt attempt, Verdict.Complete<T> effect, RecordState found) {
        events.publish(new IdempotencyEvent.RecordLost(attempt.lease(), found));
        return restorer.lost(attempt, effect, found);
    }

    private <T> Outcome<T> unrecorded(Attempt attempt, Verdict.Complete<T> effect, Obstacle why) {
        return new Outcome.Unrecorded<>(effect.value(), why, () -> again(attempt, effect));
    }

    /** Whatever a store throws, its answer is not known. */
    static StoreUnavailableException silence(RuntimeException failure) {
        return failure instanceof StoreUnavailableException unavailable
                ? unavailable
                : new StoreUnavailableException(
                        "The store failed in a way of its own: " + failure, Execution.UNKNOWN, failure);
    }
}
