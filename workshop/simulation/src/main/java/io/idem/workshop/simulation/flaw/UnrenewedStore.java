package io.idem.workshop.simulation.flaw;

import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.StoreDecorator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reports leases as renewed without renewing them. */
final class UnrenewedStore extends StoreDecorator {

    UnrenewedStore(IdempotencyStore store) {
        super(store);
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return updates.stream()
                .map(update -> update instanceof RecordUpdate.Renew
                        ? CompletableFuture.<StoreAnswer>completedStage(new StoreAnswer.Ok(StoredResult.NONE))
                        : super.update(List.of(update)).get(0))
                .toList();
    }
}
