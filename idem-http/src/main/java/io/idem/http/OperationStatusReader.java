package io.idem.http;

import io.idem.IdempotencyKey;
import io.idem.StoreUnavailableException;
import io.idem.spi.IdempotencyStore;
import java.util.List;
import java.util.Optional;

/** Reads the records of one key across all announced scopes in one atomic call. Thread-safe; blocks on the store. */
public final class OperationStatusReader {

    private final IdempotencyStore store;

    /** Creates a reader of a store. */
    public OperationStatusReader(IdempotencyStore store) {
        this.store = store;
    }

    /**
     * Returns the status of a tenant's operation; empty if no participant knows the key. The tenant of the key must be the authenticated
     * one.
     *
     * @throws StoreUnavailableException if the store does not answer
     */
    public Optional<OperationStatus> read(IdempotencyKey key) {
        List<OperationStatus.Participant> scopes = store.inspectAll(key).stream()
                .map(OperationStatus.Participant::of)
                .toList();
        return scopes.isEmpty() ? Optional.empty() : Optional.of(new OperationStatus(key.value(), scopes));
    }
}
