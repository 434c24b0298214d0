package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyEvent;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Outcome.Obstacle;
import io.idem.OwnerToken;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.engine.Results.Packing;
import io.idem.spi.Stages;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Restores the record of a durable effect that is gone, belongs to another owner or was never granted: acquires it and
 * completes it at once.
 */
record Restorer(Lane lane, EventSource events, Results results, SecureRandom random) {

    /**
     * Returns an outcome whose next try restores the record. The owner token is created once, outside the retries, so
     * that a repeated acquire is recognised.
     */
    <T> Outcome<T> lost(Attempt attempt, Packing<T> effect, RecordState found) {
        AcquireRequest anew = anew(attempt, OwnerToken.random(random));
        return unrecorded(effect, new Obstacle.RecordLost(found), () -> restore(attempt, effect, anew));
    }

    /** Records an effect that the inbox row of an attempt without a grant says was done before. */
    <T> CompletionStage<Outcome<T>> acquired(Attempt attempt, Packing<T> effect) {
        return restore(attempt, effect, anew(attempt, attempt.lease().owner()));
    }

    /**
     * Returns the outcome of an effect whose record another owner has completed. With an inbox the effect happens once:
     * an owner that found the row was faster, and only the record was lost.
     */
    <T> Outcome<T> superseded(Attempt attempt, Packing<T> effect, StoredResult stored) {
        events.publish(
                attempt.operation().inbox() == null
                        ? new IdempotencyEvent.DoubleEffectSuspected(attempt.lease())
                        : new IdempotencyEvent.RecordLost(attempt.lease(), RecordState.COMPLETED));
        return new Outcome.Superseded<>(effect.plain().value(), results.kept(attempt, effect, stored));
    }

    private static <T> Outcome<T> unrecorded(
            Packing<T> effect, Obstacle why, Supplier<CompletionStage<Outcome<T>>> again) {
        return new Outcome.Unrecorded<>(effect.plain().value(), why, new RecordAgain<>(again));
    }

    private <T> CompletionStage<Outcome<T>> restore(Attempt attempt, Packing<T> effect, AcquireRequest anew) {
        return Stages.compose(
                lane.acquire(List.of(anew)).get(0),
                (claim, failure) -> failure == null
                        ? claimed(attempt, effect, anew, claim)
                        : CompletableFuture.completedFuture(
                                unanswered(attempt, effect, failure, () -> restore(attempt, effect, anew))));
    }

    private <T> CompletionStage<Outcome<T>> claimed(
            Attempt attempt, Packing<T> effect, AcquireRequest anew, Claim claim) {
        events.publish(new IdempotencyEvent.Claimed(anew.record(), claim));
        if (claim instanceof Claim.Granted granted) {
            return complete(attempt, effect, granted.lease());
        }
        return CompletableFuture.completedFuture(
                claim instanceof Claim.Replay replay
                        ? superseded(attempt, effect, replay.result())
                        : lost(attempt, effect, stateBehind(claim)));
    }

    private <T> CompletionStage<Outcome<T>> complete(Attempt attempt, Packing<T> effect, Lease restored) {
        return Stages.handle(
                lane.update(new RecordUpdate.Complete(
                        restored, effect.packed().result(), attempt.steps().any())),
                answer -> completed(attempt, effect, restored, answer),
                failure -> unanswered(attempt, effect, failure, () -> complete(attempt, effect, restored)));
    }

    private <T> Outcome<T> completed(Attempt attempt, Packing<T> effect, Lease restored, StoreAnswer answer) {
        if (answer instanceof StoreAnswer.Ok ok) {
            events.publish(new IdempotencyEvent.Settled(restored, RecordState.COMPLETED, ""));
            return new Outcome.Executed<>(effect.plain().value(), results.kept(attempt, effect, ok.result()));
        }
        return answer instanceof StoreAnswer.Lost lost && lost.state() == RecordState.COMPLETED
                ? superseded(attempt, effect, lost.result())
                : lost(attempt, effect, RecordState.PENDING);
    }

    private <T> Outcome<T> unanswered(
            Attempt attempt, Packing<T> effect, Throwable failure, Supplier<CompletionStage<Outcome<T>>> again) {
        return failure instanceof UnreadableRecordException
                ? lost(attempt, effect, RecordState.ABSENT)
                : unrecorded(effect, new Obstacle.StoreSilent(Settling.silence(failure)), again);
    }

    private static RecordState stateBehind(Claim claim) {
        if (claim instanceof Claim.Rejected) {
            return RecordState.REJECTED;
        }
        return claim instanceof Claim.NotYet ? RecordState.FAILED : RecordState.PENDING;
    }

    private AcquireRequest anew(Attempt attempt, OwnerToken owner) {
        Operation operation = attempt.operation();
        return new AcquireRequest(
                operation.record(),
                owner,
                operation.policy().lease(),
                operation.policy().retention(),
                operation.fingerprint(),
                attempt.seenFence(),
                0);
    }
}
