package io.idem;

import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordState;
import io.idem.spi.Settlement;
import io.idem.spi.StoredResult;
import java.time.Duration;

/** Settles and answers grants whose work is not to run, as was decided about an earlier attempt. Thread-safe; blocks on the store. */
final class TakeoverAnswers {

    private final IdempotencyStore store;
    private final EventSource events;
    private final Results results;

    TakeoverAnswers(IdempotencyStore store, EventSource events, Results results) {
        this.store = store;
        this.events = events;
        this.results = results;
    }

    /** @throws StoreUnavailableException if the store does not take the decision: then the next takeover decides anew */
    <T> Outcome.NotRun<T> answer(GrantedOperation operation, Reconciliation decision) {
        operation.leaveUnsettled();
        Attempt attempt = operation.attempt();
        if (decision instanceof Reconciliation.Done done) {
            operation.tookEffect();
            return done(attempt, done.result());
        }
        return decision instanceof Reconciliation.Park park
                ? parked(attempt, park.reason())
                : new Outcome.InProgress<>(attempt.lease().duration());
    }

    private <T> Outcome.NotRun<T> done(Attempt attempt, StoredResult result) {
        Settlement answer = Uninterrupted.call(() -> store.complete(attempt.lease(), result));
        events.publishEnd(attempt.lease(), answer, RecordState.COMPLETED);
        return answer instanceof Settlement.Ok ok ? replayed(attempt, ok.result()) : lost(attempt, answer);
    }

    private <T> Outcome.NotRun<T> parked(Attempt attempt, String reason) {
        Settlement answer = Uninterrupted.call(() -> store.reject(attempt.lease(), reason));
        events.publishEnd(attempt.lease(), answer, RecordState.REJECTED);
        return answer instanceof Settlement.Ok ? new Outcome.Rejected<>(reason) : lost(attempt, answer);
    }

    /** Somebody else took the record over: it is theirs to say how it ends. */
    private <T> Outcome.NotRun<T> lost(Attempt attempt, Settlement answer) {
        return answer instanceof Settlement.Lost lost && lost.state() == RecordState.COMPLETED
                ? replayed(attempt, lost.result())
                : new Outcome.InProgress<>(Duration.ZERO);
    }

    private <T> Outcome.NotRun<T> replayed(Attempt attempt, StoredResult kept) {
        return new Outcome.Replayed<>(results.unpack(attempt.lease().record(), kept));
    }
}
