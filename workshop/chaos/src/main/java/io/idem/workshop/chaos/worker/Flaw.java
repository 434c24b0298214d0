package io.idem.workshop.chaos.worker;

import io.idem.spi.IdempotencyStore;
import java.util.Locale;
import java.util.Map;

/** A known-wrong variant of the library, to show that the checkers see it. */
public enum Flaw {
    /** The library as it is. */
    NONE,
    /** A worker's record is the intake's: it finds COMPLETED and takes its message for a duplicate. */
    SHARED_SECTION,
    /** A key in progress elsewhere is taken for done: its message is acknowledged. */
    BUSY_ACKNOWLEDGED,
    /** Whoever settles or renews is believed to be the owner. */
    OWNER_UNCHECKED,
    /** FAIL deletes the record, and with it fence and attempts. */
    DELETE_ON_CLEAR,
    /** Leases are not renewed, and nobody notices. */
    NO_RENEWAL,
    /** COMPLETE is never sent. */
    COMPLETE_FORGOTTEN,
    /** Messages are acknowledged when they arrive. */
    ACKNOWLEDGE_FIRST,
    /** The intake answers before RabbitMQ has confirmed, or given back, what it published. */
    COMPLETE_BEFORE_CONFIRM,
    /** A repeated ACQUIRE comes from another owner. */
    NEW_TOKEN_PER_RETRY,
    /** The fence is a counter in the record. */
    COUNTER_FENCE,
    /** An ACQUIRE that is executed twice does not know itself. */
    REPEATED_ACQUIRE,
    /** The lease is the expiry of the record: what lapses is forgotten. */
    TTL_AS_LEASE;

    /** What it is called on the command line. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it is built into the intake; otherwise into the workers. */
    public boolean atIntake() {
        return this == COMPLETE_BEFORE_CONFIRM;
    }

    /** Settings that go with it. */
    public Map<String, String> settings() {
        // The library's own repetitions are right: they are put out of action.
        return this == NEW_TOKEN_PER_RETRY ? Map.of("idem.redis.retry-budget", "1ms") : Map.of();
    }

    IdempotencyStore in(IdempotencyStore store) {
        return switch (this) {
            case SHARED_SECTION -> FlawedStores.inTheSectionOf(ChaosIntakeMain.SCOPE, store);
            case BUSY_ACKNOWLEDGED -> FlawedStores.takingBusyForDone(store);
            case NO_RENEWAL -> FlawedStores.withoutRenewals(store);
            case COMPLETE_FORGOTTEN -> FlawedStores.forgettingCompletions(store);
            case NEW_TOKEN_PER_RETRY -> new NewTokenPerRetry(store);
            default -> store;
        };
    }
}
