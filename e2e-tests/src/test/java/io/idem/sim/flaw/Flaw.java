package io.idem.sim.flaw;

import io.idem.IdempotencyKey;
import io.idem.Scope;
import io.idem.sim.check.Names;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordId;

/** A mistake that is built in on purpose. */
public enum Flaw {
    /** None: the library as it is. */
    NONE;

    /** The store as the mistake makes it. */
    public IdempotencyStore inStore(IdempotencyStore store) {
        return store;
    }

    /** The store's client, below the repetitions. */
    public IdempotencyStore inClient(IdempotencyStore store) {
        return store;
    }

    /** The store as the engine sees it. */
    public IdempotencyStore inEngine(IdempotencyStore store) {
        return store;
    }

    /** The scope of the listener. */
    public String consumersScope() {
        return Names.CONSUMER;
    }

    /** The listener's record of a key. */
    public RecordId consumersRecord(String key) {
        return new RecordId(IdempotencyKey.of(key), new Scope(consumersScope()));
    }

    /** Whether a message is acknowledged before its work. */
    public boolean acknowledgesFirst() {
        return false;
    }

    /** Whether what says "not now" is acknowledged. */
    public boolean acknowledges(Throwable failure) {
        return false;
    }
}
