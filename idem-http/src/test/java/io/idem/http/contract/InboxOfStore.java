package io.idem.http.contract;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Inbox;
import io.idem.RecordId;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.Optional;

/** An inbox that is the store, for tests of which only the start matters: it runs no work. */
public final class InboxOfStore implements Inbox, Inbox.Failures {

    /** Returns an executor whose work runs in such an inbox. */
    public static IdempotentExecutor executor() {
        return IdempotentExecutor.on(new InMemoryIdempotencyStore())
                .inbox(new InboxOfStore())
                .build();
    }

    @Override
    public InboxOutcome run(Request request, InboxWork work) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Effect> find(RecordId record) {
        return Optional.empty();
    }

    @Override
    public Optional<Failures> failures() {
        return Optional.of(this);
    }

    @Override
    public Claim grant(AcquireRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public StoreAnswer fail(Request attempt, Duration delay, boolean counted) {
        return new StoreAnswer.Ok(StoredResult.NONE);
    }

    @Override
    public StoreAnswer reject(Request attempt, String reason) {
        return new StoreAnswer.Ok(StoredResult.NONE);
    }
}
