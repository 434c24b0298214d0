package io.idem.workshop.simulation.world;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import io.idem.workshop.simulation.check.History;
import io.idem.workshop.simulation.check.Names;
import io.idem.workshop.simulation.kernel.Crash;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Records the calls of the engine that got no answer after all repetitions, after which a lease may expire, and which
 * attempt asks in the name of which token.
 */
final class ObservedStore extends StoreDecorator {

    private final History history;
    private final Attempts attempts;

    ObservedStore(IdempotencyStore store, World world) {
        super(store);
        this.history = world.history();
        this.attempts = world.attempts();
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        requests.forEach(attempts::ask);
        List<CompletionStage<Claim>> answers = super.acquire(requests);
        for (int i = 0; i < requests.size(); i++) {
            note(requests.get(i).record(), answers.get(i));
        }
        return answers;
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        List<CompletionStage<StoreAnswer>> answers = super.update(updates);
        for (int i = 0; i < updates.size(); i++) {
            note(updates.get(i).lease().record(), answers.get(i));
        }
        return answers;
    }

    private void note(RecordId record, CompletionStage<?> answer) {
        Stages.whenComplete(answer, (given, failure) -> {
            if (failure != null && !(failure instanceof Crash)) {
                history.abandoned(Names.of(record));
            }
        });
    }
}
