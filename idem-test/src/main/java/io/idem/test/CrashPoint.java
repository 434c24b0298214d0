package io.idem.test;

/** Where a process may die while it works on a message or request; each leaves something else behind. */
public enum CrashPoint {
    /** The key is granted and nothing has happened yet: the next attempt runs the work when the lease has ended. */
    BEFORE_WORK,
    /**
     * The work is done and committed, and no record says so: the next attempt runs the work again when the lease has ended, unless it
     * finds its inbox row.
     */
    BEFORE_COMPLETE,
    /** The record is COMPLETED, and neither broker nor client was told: what comes again is answered without running. */
    BEFORE_ACKNOWLEDGE
}
