package io.idem.workshop.simulation.world;

/** What can go wrong; each run draws the ones that do. */
enum Fault {
    /** A process dies. */
    CRASH,
    /** A process stands still, for up to three leases. */
    FREEZE,
    /** The store executes a call, and its answer is lost. */
    REPLY_LOST,
    /** The store refuses a call, or it never arrives. */
    NOT_EXECUTED,
    /** The store executes a call long after its caller gave up. */
    GHOST,
    /** The store answers nobody for a while. */
    SILENCE,
    /** The store forgets one record. */
    RECORD_LOST,
    /** The store forgets the last moments, as after a failover. */
    OLD_STATE,
    /** The store's clock jumps, in either direction. */
    CLOCK_JUMP,
    /** A process loses its connection to the broker, or its session; or a log is read from an earlier offset. */
    CUT,
    /** The database's answer to a commit is lost. */
    COMMIT_UNKNOWN,
    /** The broker takes a message and its confirm is lost, or it refuses it. */
    UNCONFIRMED
}
