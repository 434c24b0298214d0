package io.idem.workshop.simulation.world;

import java.util.EnumSet;
import java.util.Set;

/** The kinds of faults; each run draws those that happen in it. */
enum Fault {
    /** A process dies. */
    CRASH,
    /** A process stands still for up to three leases. */
    FREEZE,
    /** The store executes a call, but its answer is lost. */
    REPLY_LOST,
    /** The store refuses a call, or the call never arrives. */
    NOT_EXECUTED,
    /** The store executes a call long after its caller gave up. */
    GHOST,
    /** The store does not answer any calls for a while. */
    SILENCE,
    /** The store loses one record. */
    RECORD_LOST,
    /** The store loses its latest changes, as after a failover. */
    OLD_STATE,
    /** The store's clock jumps, in either direction. */
    CLOCK_JUMP,
    /** A process loses its connection to the broker, or its session; or a log is read from an earlier offset. */
    CUT,
    /** The database's answer to a commit is lost. */
    COMMIT_UNKNOWN,
    /** The broker stores a message but its confirm is lost, or it refuses the message. */
    UNCONFIRMED,
    /** The database ends the session of a transaction while its process lives on. */
    SESSION_LOST;

    private static final Set<Fault> OF_ANOTHER_STORE = EnumSet.of(GHOST, SILENCE, RECORD_LOST, OLD_STATE, CLOCK_JUMP);

    /**
     * Returns whether the fault can happen.
     *
     * @param alone whether the inbox is the only store
     */
    boolean happens(boolean alone) {
        return alone ? !OF_ANOTHER_STORE.contains(this) : this != SESSION_LOST;
    }
}
