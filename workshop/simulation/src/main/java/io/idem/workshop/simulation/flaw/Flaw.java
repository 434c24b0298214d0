package io.idem.workshop.simulation.flaw;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.spi.IdempotencyStore;
import io.idem.workshop.simulation.check.Names;
import java.time.InstantSource;

/** A deliberate defect of the library. Each is a mistake that was made or could have been made. */
public enum Flaw {
    /** The unchanged library. */
    NONE,

    /** The intake and the consumer share a scope, so the consumer treats its message as a duplicate. */
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

    /** Messages whose key is in progress with another owner are acknowledged. */
    BUSY_ACKNOWLEDGED {
        @Override
        public boolean acknowledgesBusy() {
            return true;
        }
    },

    /** Record updates are accepted from any owner. */
    NO_OWNER_CHECK {
        @Override
        public IdempotencyStore inStore(IdempotencyStore store, InstantSource clock) {
            return new ForgivingStore(store);
        }
    },

    /** The release of a key deletes its record. */
    DELETED_ON_CLEAR {
        @Override
        public IdempotencyStore inStore(IdempotencyStore store, InstantSource clock) {
            return new ForgetfulStore(store, clock, true, false);
        }
    },

    /** Leases are not renewed. */
    NOT_RENEWED {
        @Override
        public IdempotencyStore inEngine(IdempotencyStore store) {
            return new UnrenewedStore(store);
        }
    },

    /** COMPLETE is sent without waiting for its answer. */
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

    /** An acquire gets a new owner token at each attempt. */
    TOKEN_PER_TRY {
        @Override
        public IdempotencyStore inClient(IdempotencyStore store) {
            return new RenamingStore(store);
        }
    },

    /** Fences are counted in the record, and start again from 1 when it is lost. */
    COUNTED_FENCE {
        @Override
        public IdempotencyStore inStore(IdempotencyStore store, InstantSource clock) {
            return new CountingStore(store);
        }
    },

    /** A repeated acquire gets a new grant. */
    GRANTED_AGAIN {
        @Override
        public IdempotencyStore inStore(IdempotencyStore store, InstantSource clock) {
            return new GenerousStore(store);
        }
    },

    /** The record expires with its lease. */
    TTL_AS_LEASE {
        @Override
        public IdempotencyStore inStore(IdempotencyStore store, InstantSource clock) {
            return new ForgetfulStore(store, clock, false, true);
        }
    },

    /** REMEMBER is answered and stores nothing. */
    STEP_FORGOTTEN {
        @Override
        public IdempotencyStore inStore(IdempotencyStore store, InstantSource clock) {
            return new StepForgettingStore(store);
        }

        @Override
        public boolean allowsSteps() {
            return true;
        }
    };

    /** Returns the store with the flaw inside the store. */
    public IdempotencyStore inStore(IdempotencyStore store, InstantSource clock) {
        return store;
    }

    /** Returns the client of the store with the flaw below the repetitions. */
    public IdempotencyStore inClient(IdempotencyStore store) {
        return store;
    }

    /** Returns the store with the flaw above the repetitions, as the engine uses it. */
    public IdempotencyStore inEngine(IdempotencyStore store) {
        return store;
    }

    /** Returns the scope of the listener. */
    public String consumersScope() {
        return Names.CONSUMER;
    }

    /** Returns the listener's record of a key. */
    public RecordId consumersRecord(String key) {
        return new RecordId(IdempotencyKey.of(key), new Scope(consumersScope()));
    }

    /** Returns whether work may have steps. The stores of most flaws know records under other names or fences. */
    public boolean allowsSteps() {
        return this == NONE;
    }

    /** Returns whether only runs with an intake can show the flaw. */
    public boolean needsIntake() {
        return false;
    }

    /** Returns whether messages are acknowledged before their work. */
    public boolean acknowledgesFirst() {
        return false;
    }

    /** Returns whether deferred messages are acknowledged. */
    public boolean acknowledgesBusy() {
        return false;
    }

    /** Returns whether the intake completes without waiting for the confirm. */
    public boolean completesBeforeConfirm() {
        return false;
    }
}
