package io.idem.gateway.service;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.util.Optional;

/** Records in memory, behind a connection that may be cut. */
final class SilentStore extends PerRequestStore {

    private volatile boolean silent;

    SilentStore() {
        super(new InMemoryIdempotencyStore());
    }

    void silent(boolean now) {
        silent = now;
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        check();
        return super.acquire(request);
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        check();
        return super.inspect(record);
    }

    @Override
    public void check() {
        if (silent) {
            throw new StoreUnavailableException(
                    "ordered by a test", Execution.NOT_EXECUTED, new IllegalStateException("silent"));
        }
    }
}
