package io.idem.workshop.simulation.flaw;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.spi.IdempotencyStore;
import io.idem.workshop.simulation.check.Names;
import java.time.InstantSource;

/** A mistake that is built in on purpose. Each is one that somebody made, or could have. */
public enum Flaw {
    /** None: the library as it is. */
    NONE,

    /** Intake and consumer look at one section: the consumer takes its message for a duplicate. */
    SHARED_SECTION {
        @Override
        public String consumersScope() {
            return Names.INTAKE;
        }

        @Override
        public boolean needsIntake() {
            return true;
        }
    },

    /** What another owner is at is acknowledged. */
    BUSY_ACKNOWLEDGED {
        @Override
        public boolean acknowledgesBusy() {
            return true;
        }
    },

    /** Settlements are taken from anybody. */
    NO_OWNER_CHECK {
        @Override
        public IdempotencyStore inStore(IdempotencyStore store, InstantSource clock) {
            return new ForgivingStore(store);
        }
    },

    /** Giving a key back deletes its record. */
    DELETED_ON_CLEAR {
        @Override
        public IdempotencyStore inStore(IdempotencyStore store, InstantSource clock) {
            return new ForgetfulStore(store, clock, true, false);
        }
    },

    /** Nobody renews leases. */
    NOT_RENEWED {
        @Override
        public IdempotencyStore inEngine(IdempotencyStore store) {
            return new UnrenewedStore(store);
        }
    },

    /** COMPLETE is sent, and nobody waits for its answer. */
    COMPLETE_FORGOTTEN {
        @Override
        public IdempotencyStore inEngine(IdempotencyStore store) {
            return new HastyStore(store);
        }
    },

    /** Messages are acknowledged before their work. */
    ACKNOWLEDGED_FIRST {
        @Override
        public boolean acknowledgesFirst() {
            return true;
        }
    },

    /** The intake completes before the broker has confirmed. */
    COMPLETED_BEFORE_CONFIRM {
        @Override
        public boolean completesBeforeConfirm() {
            return true;
        }

        @Override
        public boolean needsIntake() {
            return true;
        }
    },

    /** Every try of an acquire has an owner token of its own. */
    TOKEN_PER_TRY {
        @Override
        public IdempotencyStore inClient(IdempotencyStore store) {
            return new RenamingStore(store);
        }
    },

    /** Fences are counted in the record, and start anew when it is lost. */
    COUNTED_FENCE {
        @Override
        public IdempotencyStore inStore(IdempotencyStore store, InstantSource clock) {
            return new CountingStore(store);
        }
    },

    /** An acquire that is repeated is granted anew. */
    GRANTED_AGAIN {
        @Override
        public IdempotencyStore inStore(IdempotencyStore store, InstantSource clock) {
            return new GenerousStore(store);
        }
    },

    /** The record ends with its lease. */
    TTL_AS_LEASE {
        @Override
        public IdempotencyStore inStore(IdempotencyStore store, InstantSource clock) {
            return new ForgetfulStore(store, clock, false, true);
        }
    };

    /** The store as the mistake makes it. */
    public IdempotencyStore inStore(IdempotencyStore store, InstantSource clock) {
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

    /** Whether only runs with an intake can show it. */
    public boolean needsIntake() {
        return false;
    }

    /** Whether a message is acknowledged before its work. */
    public boolean acknowledgesFirst() {
        return false;
    }

    /** Whether what says "not now" is acknowledged. */
    public boolean acknowledgesBusy() {
        return false;
    }

    /** Whether the intake waits for no confirm. */
    public boolean completesBeforeConfirm() {
        return false;
    }
}
