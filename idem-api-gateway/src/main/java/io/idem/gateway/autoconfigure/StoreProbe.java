package io.idem.gateway.autoconfigure;

import io.idem.gateway.internal.handoff.Probe;
import io.idem.internal.operations.StoreCheck;
import java.util.Optional;

/** The same check as that of the contributor {@code idem}: the store is asked once for both. */
record StoreProbe(StoreCheck store) implements Probe {

    @Override
    public void check() {
        Optional<RuntimeException> failure = store.failure();
        if (failure.isPresent()) {
            throw failure.get();
        }
    }
}
