package io.idem.engine;

import io.idem.IdempotencyEvent;
import io.idem.Outcome;
import io.idem.Outcome.Obstacle;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.UnreadableRecordException;
import io.idem.WorkResult;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records durable effects: waits for confirmations, then completes the record. The effect has happened, so failures are
 * outcomes here and never exceptions.
 */
record Recorder(StoreAccess access, Heartbeat heartbeat, EventSource events, Results results, Restorer restorer) {

    private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);

    /**
     * Records an effect. Waits for at most one lease on confirmations, and on the store's own retries. The caller
     * renews the lease meanwhile.
     */
    <T> CompletionStage<Outcome<T>> record(Attempt attempt, Results.Packing<T> packing) {
        WorkResult.Complete<T> effect = packing.packed();
        return Stages.map(
                attempt.hasUnconfirmed() ? completeOnceConfirmed(attempt, effect) : complete(attempt, effect),
                outcome -> results.unpacked(attempt.lease().record(), packing, outcome));
    }

    private <T> CompletionStage<Outcome<T>> completeOnceConfirmed(Attempt attempt, WorkResult.Complete<T> effect) {
        CompletionStage<Optional<Throwable>> unconfirmed = access.confirmations()
                .of(attempt.barrier(), attempt.operation().policy().lease());
        return Stages.compose(
                unconfirmed,
                failure -> failure.isPresent()
                        ? CompletableFuture.completedFuture(
                                unrecorded(attempt, effect, new Obstacle.Unconfirmed(failure.get())))
                        : complete(attempt, effect));
    }

    private <T> CompletionStage<Outcome<T>> again(Attempt attempt, WorkResult.Complete<T> effect) {
        return heartbeat.start(attempt).during(() -> completeOnceConfirmed(attempt, effect));
    }

    private <T> CompletionStage<Outcome<T>> complete(Attempt attempt, WorkResult.Complete<T> effect) {
        if (!attempt.owns()) {
            return restorer.acquired(attempt, effect);
        }
        boolean again = attempt.publications().isAgain();
        if (!again && attempt.isRecorded()) {
            return CompletableFuture.completedFuture(answer(attempt, effect, new StoreAnswer.Ok(effect.result())));
        }
        return Stages.handle(
                access.update(
                        again
                                ? new RecordUpdate.Fail(attempt.lease(), Duration.ZERO)
                                : new RecordUpdate.Complete(
                                        attempt.lease(),
                                        effect.result(),
                                        attempt.steps().any())),
                answer -> again ? released(attempt, effect, answer) : answer(attempt, effect, answer),
                failure -> unanswered(attempt, effect, failure));
    }

    /** Returns the outcome of an attempt that another one follows with the message that its work has sent back. */
    private <T> Outcome<T> released(Attempt attempt, WorkResult.Complete<T> effect, StoreAnswer answer) {
        if (answer instanceof StoreAnswer.Lost lost) {
            events.publish(new IdempotencyEvent.RecordLost(attempt.lease(), lost.state()));
        } else {
            events.publishEnd(attempt.lease(), answer, RecordState.FAILED, "its work sent the message back");
        }
        return new Outcome.Released<>(effect.value(), !attempt.publications().isHandedBack());
    }

    private <T> Outcome<T> unanswered(Attempt attempt, WorkResult.Complete<T> effect, Throwable failure) {
        if (failure instanceof UnreadableRecordException overwritten) {
            LOG.error("{}", overwritten.getMessage());
            return lost(attempt, effect, RecordState.ABSENT);
        }
        return unrecorded(attempt, effect, new Obstacle.StoreSilent(silence(failure)));
    }

    private <T> Outcome<T> answer(Attempt attempt, WorkResult.Complete<T> effect, StoreAnswer answer) {
        if (answer instanceof StoreAnswer.Ok ok) {
            events.publish(new IdempotencyEvent.Settled(attempt.lease(), RecordState.COMPLETED, ""));
            return new Outcome.Executed<>(effect.value(), ok.result());
        }
        if (answer instanceof StoreAnswer.Lost lost && lost.state() == RecordState.COMPLETED) {
            return restorer.superseded(attempt, effect, lost.result());
        }
        return lost(attempt, effect, answer instanceof StoreAnswer.Lost lost ? lost.state() : RecordState.PENDING);
    }

    private <T> Outcome<T> lost(Attempt attempt, WorkResult.Complete<T> effect, RecordState found) {
        events.publish(new IdempotencyEvent.RecordLost(attempt.lease(), found));
        return restorer.lost(attempt, effect, found);
    }

    private <T> Outcome<T> unrecorded(Attempt attempt, WorkResult.Complete<T> effect, Obstacle why) {
        return new Outcome.Unrecorded<>(effect.value(), why, new RecordAgain<>(() -> again(attempt, effect)));
    }

    /** Returns the failure as one after which the outcome of the request is unknown, whatever the store threw. */
    static StoreUnavailableException silence(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof StoreUnavailableException unavailable
                ? unavailable
                : new StoreUnavailableException(
                        "The store failed in a way of its own: " + failure, Execution.UNKNOWN, failure);
    }
}
