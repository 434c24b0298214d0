package io.idem.workshop.simulation.flaw;

import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;

/** Reports steps as remembered without storing them. */
final class StepForgettingStore extends PerRequestStore {

    StepForgettingStore(IdempotencyStore store) {
        super(store);
    }

    @Override
    public StoreAnswer update(RecordUpdate update) {
        return update instanceof RecordUpdate.Remember ? new StoreAnswer.Ok(StoredResult.NONE) : super.update(update);
    }
}
