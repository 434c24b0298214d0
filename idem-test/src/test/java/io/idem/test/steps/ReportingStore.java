package io.idem.test.steps;

import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps.Kind;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.util.Map;
import java.util.Objects;

/** A store that tells the work what was remembered, and stops it around COMPLETE. Changes no answer. */
final class ReportingStore extends PerRequestStore {

    private final Map<RecordId, StoppableWork> works;

    ReportingStore(IdempotencyStore store, Map<RecordId, StoppableWork> works) {
        super(store);
        this.works = works;
    }

    @Override
    public StoreAnswer update(RecordUpdate update) {
        StoreAnswer answer = super.update(update);
        if (answer instanceof StoreAnswer.Ok
                && update instanceof RecordUpdate.Remember remember
                && remember.step().kind() == Kind.DONE) {
            of(update.lease()).remembered(remember.step().id());
        }
        return answer;
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        of(lease).pass(Boundary.BEFORE_COMPLETE, Stop.FIRST_STEP);
        StoreAnswer answer = super.complete(lease, result);
        if (answer instanceof StoreAnswer.Ok) {
            of(lease).pass(Boundary.BEFORE_ACKNOWLEDGING, Stop.FIRST_STEP);
        }
        return answer;
    }

    private StoppableWork of(Lease lease) {
        return Objects.requireNonNull(works.get(lease.record()));
    }
}
