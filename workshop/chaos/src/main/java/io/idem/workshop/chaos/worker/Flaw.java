package io.idem.workshop.chaos.worker;

import io.idem.spi.IdempotencyStore;
import java.util.Locale;
import java.util.Map;

/** A deliberate defect of the library, to show that the checkers find it. */
public enum Flaw {
    /** The unchanged library. */
    NONE,
    /** A worker uses the intake's record: it finds COMPLETED and treats its message as a duplicate. */
    SHARED_SECTION,
    /** A key in progress with another owner is treated as completed: its message is acknowledged. */
    BUSY_ACKNOWLEDGED,
    /** The owner token of a record update is not checked. */
    OWNER_UNCHECKED,
    /** FAIL deletes the record, with its fence and its number of attempts. */
    DELETE_ON_CLEAR,
    /** Leases are not renewed, and the owner does not notice. */
    NO_RENEWAL,
    /** COMPLETE is never sent. */
    COMPLETE_FORGOTTEN,
    /** Messages are acknowledged on arrival. */
    ACKNOWLEDGE_FIRST,
    /** The intake answers before RabbitMQ has confirmed or returned the message. */
    COMPLETE_BEFORE_CONFIRM,
    /** A repeated ACQUIRE has a new owner token. */
    NEW_TOKEN_PER_RETRY,
    /** The fence is a counter in the record. */
    COUNTER_FENCE,
    /** A repeated ACQUIRE of the same owner is not recognised. */
    REPEATED_ACQUIRE,
    /** The lease is the expiry of the record: an expired record is lost. */
    TTL_AS_LEASE,
    /** REMEMBER answers OK and stores nothing. */
    STEP_FORGOTTEN;

    /** Returns the name on the command line. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns whether the flaw is built into the intake; otherwise into the workers. */
    public boolean atIntake() {
        return this == COMPLETE_BEFORE_CONFIRM;
    }

    /** Returns whether the flaw can be built into workers with this store. */
    public boolean fits(StoreKind store) {
        return store == StoreKind.REDIS || this == NONE || this == COMPLETE_FORGOTTEN || this == ACKNOWLEDGE_FIRST;
    }

    /** Returns the settings that the flaw needs. */
    public Map<String, String> settings() {
        // The library's own repetitions are correct, so they are disabled.
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
