package io.idem.engine;

import io.idem.Outcome;
import io.idem.Reconciliation;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Ends and answers grants whose work is not to run, by the decision about an earlier attempt. Thread-safe. */
record TakeoverAnswers(Lane lane, EventSource events, Results results) {

    /** Records the decision and answers in a stage. If the store does not take the decision, the next takeover decides anew. */
    <T> CompletionStage<Outcome.NotRun<T>> answering(GrantedOperation operation, Reconciliation decision) {
        operation.leaveUnsettled();
        Attempt attempt = operation.attempt();
        if (decision instanceof Reconciliation.Done done) {
            operation.tookEffect();
            return done(attempt, done.result());
        }
        return decision instanceof Reconciliation.Reject reject
                ? rejected(attempt, reject.reason())
                : CompletableFuture.completedFuture(
                        new Outcome.InProgress<>(attempt.lease().duration()));
    }

    private <T> CompletionStage<Outcome.NotRun<T>> done(Attempt attempt, StoredResult result) {
        return Stages.map(lane.update(new RecordUpdate.Complete(attempt.lease(), result, true)), answer -> {
            events.publishEnd(attempt.lease(), answer, RecordState.COMPLETED, "");
            return answer instanceof StoreAnswer.Ok ok ? replayed(attempt, ok.result()) : lost(attempt, answer);
        });
    }

    private <T> CompletionStage<Outcome.NotRun<T>> rejected(Attempt attempt, String reason) {
        return Stages.map(lane.update(new RecordUpdate.Reject(attempt.lease(), reason)), answer -> {
            events.publishEnd(attempt.lease(), answer, RecordState.REJECTED, "by a takeover policy");
            return answer instanceof StoreAnswer.Ok ? new Outcome.Rejected<>(reason) : lost(attempt, answer);
        });
    }

    /** Returns the outcome after another owner took the record over. */
    private <T> Outcome.NotRun<T> lost(Attempt attempt, StoreAnswer answer) {
        return answer instanceof StoreAnswer.Lost lost && lost.state() == RecordState.COMPLETED
                ? replayed(attempt, lost.result())
                : new Outcome.InProgress<>(Duration.ZERO);
    }

    private <T> Outcome.NotRun<T> replayed(Attempt attempt, StoredResult kept) {
        return new Outcome.Replayed<>(results.unpack(attempt.lease().record(), kept));
    }
}
