package io.idem;

import io.idem.Outcome.Obstacle;
import io.idem.spi.AcquireRequest;
import io.idem.spi.Claim;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Lease;
import io.idem.spi.OwnerToken;
import io.idem.spi.RecordState;
import io.idem.spi.Settlement;
import io.idem.spi.StoredResult;
import java.security.SecureRandom;
import java.util.Optional;

/** Records an effect that is durable: confirmations first, then COMPLETE. Nothing here may call the effect a failure. */
final class Recorder {

    private final IdempotencyStore store;
    private final Heartbeat heartbeat;
    private final EventSource events;
    private final SecureRandom random;

    Recorder(IdempotencyStore store, Heartbeat heartbeat, EventSource events, SecureRandom random) {
        this.store = store;
        this.heartbeat = heartbeat;
        this.events = events;
        this.random = random;
    }

    /** Blocks for at most one lease on confirmations, and on the store's own retries. Renews the lease meanwhile. */
    <T> Outcome<T> record(Attempt attempt, Verdict.Complete<T> effect) {
        try (Heartbeat.Beat beat = heartbeat.start(attempt)) {
            Optional<Throwable> unconfirmed =
                    attempt.barrier().await(attempt.operation().policy().lease());
            if (unconfirmed.isPresent()) {
                return unrecorded(attempt, effect, new Obstacle.Unconfirmed(unconfirmed.get()));
            }
            return complete(attempt, effect);
        }
    }

    private <T> Outcome<T> complete(Attempt attempt, Verdict.Complete<T> effect) {
        try {
            return answer(attempt, effect, store.complete(attempt.lease(), effect.result()));
        } catch (StoreUnavailableException silent) {
            return unrecorded(attempt, effect, new Obstacle.StoreSilent(silent));
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
        RecordState found = settlement instanceof Settlement.Lost lost ? lost.state() : RecordState.PENDING;
        events.publish(new IdempotencyEvent.RecordLost(attempt.lease(), found));
        return lostRecord(attempt, effect, found);
    }

    private <T> Outcome<T> superseded(Attempt attempt, Verdict.Complete<T> effect, StoredResult stored) {
        events.publish(new IdempotencyEvent.DoubleEffectSuspected(attempt.lease()));
        return new Outcome.Superseded<>(effect.value(), stored);
    }

    private <T> Outcome<T> unrecorded(Attempt attempt, Verdict.Complete<T> effect, Obstacle why) {
        return new Outcome.Unrecorded<>(effect.value(), why, () -> record(attempt, effect));
    }

    private <T> Outcome<T> lostRecord(Attempt attempt, Verdict.Complete<T> effect, RecordState found) {
        return new Outcome.Unrecorded<>(effect.value(), new Obstacle.RecordLost(found), () -> restore(attempt, effect));
    }

    /** The record is gone or somebody else's, the effect is durable: acquire and complete at once. */
    private <T> Outcome<T> restore(Attempt attempt, Verdict.Complete<T> effect) {
        try {
            Claim claim = store.acquire(anew(attempt));
            events.publish(new IdempotencyEvent.Claimed(attempt.lease().record(), claim));
            if (claim instanceof Claim.Granted granted) {
                return recordRestored(attempt, effect, granted.lease());
            }
            if (claim instanceof Claim.Replay replay) {
                return superseded(attempt, effect, replay.result());
            }
            return lostRecord(attempt, effect, RecordState.PENDING);
        } catch (StoreUnavailableException silent) {
            return new Outcome.Unrecorded<>(
                    effect.value(), new Obstacle.StoreSilent(silent), () -> restore(attempt, effect));
        }
    }

    private <T> Outcome<T> recordRestored(Attempt attempt, Verdict.Complete<T> effect, Lease lease) {
        Settlement settlement = store.complete(lease, effect.result());
        if (settlement instanceof Settlement.Ok ok) {
            events.publish(new IdempotencyEvent.Settled(lease, RecordState.COMPLETED));
            return new Outcome.Executed<>(effect.value(), ok.result());
        }
        return lostRecord(attempt, effect, RecordState.PENDING);
    }

    private AcquireRequest anew(Attempt attempt) {
        Operation operation = attempt.operation();
        return new AcquireRequest(
                operation.record(),
                OwnerToken.random(random),
                operation.policy().lease(),
                operation.policy().retention(),
                operation.fingerprint(),
                attempt.fence(),
                0);
    }
}
