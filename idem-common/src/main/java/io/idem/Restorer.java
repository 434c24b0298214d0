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

/** Brings back the record of a durable effect that is gone or somebody else's: acquires and completes it at once. */
final class Restorer {

    private final IdempotencyStore store;
    private final EventSource events;
    private final SecureRandom random;

    Restorer(IdempotencyStore store, EventSource events, SecureRandom random) {
        this.store = store;
        this.events = events;
        this.random = random;
    }

    /** The owner token is made once, outside the repetitions: a repeated acquire must recognise itself. */
    <T> Outcome<T> lost(Attempt attempt, Verdict.Complete<T> effect, RecordState found) {
        AcquireRequest anew = anew(attempt);
        return new Outcome.Unrecorded<>(
                effect.value(),
                new Obstacle.RecordLost(found),
                () -> Uninterrupted.call(() -> restore(attempt, effect, anew)));
    }

    /** An inbox lets an effect happen once: there, somebody who found its row was faster, and only the record was lost. */
    <T> Outcome<T> superseded(Attempt attempt, Verdict.Complete<T> effect, StoredResult stored) {
        events.publish(
                attempt.operation().inbox() == null
                        ? new IdempotencyEvent.DoubleEffectSuspected(attempt.lease())
                        : new IdempotencyEvent.RecordLost(attempt.lease(), RecordState.COMPLETED));
        return new Outcome.Superseded<>(effect.value(), stored);
    }

    private <T> Outcome<T> restore(Attempt attempt, Verdict.Complete<T> effect, AcquireRequest anew) {
        try {
            Claim claim = store.acquire(anew);
            events.publish(new IdempotencyEvent.Claimed(anew.record(), claim));
            if (claim instanceof Claim.Granted granted) {
                return complete(attempt, effect, granted.lease());
            }
            return claim instanceof Claim.Replay replay
                    ? superseded(attempt, effect, replay.result())
                    : lost(attempt, effect, stateBehind(claim));
        } catch (UnreadableRecordException foreign) {
            return lost(attempt, effect, RecordState.ABSENT);
        } catch (RuntimeException silent) {
            return new Outcome.Unrecorded<>(
                    effect.value(),
                    new Obstacle.StoreSilent(Recorder.silence(silent)),
                    () -> Uninterrupted.call(() -> restore(attempt, effect, anew)));
        }
    }

    private <T> Outcome<T> complete(Attempt attempt, Verdict.Complete<T> effect, Lease restored) {
        try {
            Settlement settlement = store.complete(restored, effect.result());
            if (settlement instanceof Settlement.Ok ok) {
                events.publish(new IdempotencyEvent.Settled(restored, RecordState.COMPLETED));
                return new Outcome.Executed<>(effect.value(), ok.result());
            }
            return settlement instanceof Settlement.Lost lost && lost.state() == RecordState.COMPLETED
                    ? superseded(attempt, effect, lost.result())
                    : lost(attempt, effect, RecordState.PENDING);
        } catch (UnreadableRecordException foreign) {
            return lost(attempt, effect, RecordState.ABSENT);
        } catch (RuntimeException silent) {
            return new Outcome.Unrecorded<>(
                    effect.value(),
                    new Obstacle.StoreSilent(Recorder.silence(silent)),
                    () -> Uninterrupted.call(() -> complete(attempt, effect, restored)));
        }
    }

    private static RecordState stateBehind(Claim claim) {
        if (claim instanceof Claim.Rejected) {
            return RecordState.REJECTED;
        }
        return claim instanceof Claim.NotYet ? RecordState.FAILED : RecordState.PENDING;
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
