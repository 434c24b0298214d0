package io.idem.consumer.rabbit;

import io.idem.consumer.internal.guard.StartProof;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.ScopeRegistry;

/** A proof at start that is switched off, for objects that are made without an application. */
final class Unproved {

    private Unproved() {}

    static StartProof proof() {
        return new StartProof(
                false,
                () -> {
                    throw new AssertionError("nothing is proved");
                },
                new ScopeRegistry(InMemoryIdempotencyStore::new));
    }
}
