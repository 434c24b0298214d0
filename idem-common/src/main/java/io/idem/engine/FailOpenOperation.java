package io.idem.engine;

import io.idem.IdempotencyEvent;
import io.idem.Outcome;
import io.idem.Outcome.Obstacle;
import io.idem.StoredResult;

/**
 * An attempt that runs while the store is unreachable. It has no grant and is not renewed; its inbox row alone decides
 * whether it takes effect. The store is updated afterwards, best effort; without that update the next duplicate is
 * answered from the row.
 */
final class FailOpenOperation extends GrantedOperation {

    private final EventSource events;

    FailOpenOperation(Attempt attempt, StoreAccess failOpen, Recorder recorder, EventSource events, Results results) {
        super(attempt, failOpen, recorder, events, results, () -> {});
        this.events = events;
    }

    @Override
    <T> Outcome<T> settlePacked(Results.Packing<T> packing) {
        return decidedByRow(super.settlePacked(packing), packing.plain().result());
    }

    /**
     * Turns an outcome that the store did not record into one that the row decided. Messages of the work must be
     * confirmed all the same before the caller acknowledges.
     */
    private <T> Outcome<T> decidedByRow(Outcome<T> outcome, StoredResult result) {
        if (!(outcome instanceof Outcome.Unrecorded<T> open)) {
            events.publish(new IdempotencyEvent.RanFailOpen(attempt().lease(), true));
            return outcome;
        }
        if (open.why() instanceof Obstacle.Unconfirmed) {
            return new Outcome.Unrecorded<>(
                    open.value(), open.why(), () -> decidedByRow(open.again().get(), result));
        }
        events.publish(new IdempotencyEvent.RanFailOpen(attempt().lease(), false));
        return new Outcome.Executed<>(open.value(), result);
    }
}
