package io.idem.workshop.simulation.world;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.Inbox.Request;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The store where the inbox is the only one, as the library's own: it grants nothing, and answers completions and
 * renewals without asking the database. Work that asks it for a grant breaks a promise.
 */
final class RowsAsStore extends StoreDecorator {

    private final World world;
    private final Database database;

    RowsAsStore(World world, Database database) {
        super(new InMemoryIdempotencyStore());
        this.world = world;
        this.database = database;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        world.history().violation("a store was asked for " + requests + " beside the inbox");
        return super.acquire(requests);
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return Stages.each(updates, this::answer);
    }

    private StoreAnswer answer(RecordUpdate update) {
        if (update instanceof RecordUpdate.Fail fail) {
            return database.fail(new Request(fail.lease(), Fingerprint.NONE), fail.delay(), fail.counted());
        }
        return new StoreAnswer.Ok(
                update instanceof RecordUpdate.Complete complete ? complete.result() : StoredResult.NONE);
    }
}
