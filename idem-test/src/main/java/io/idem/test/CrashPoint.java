package io.idem.test;

/** The points at which a process may die while it works on a message or request. */
public enum CrashPoint {
    /** After the grant and before the work: the next attempt runs the work when the lease has ended. */
    BEFORE_WORK,
    /**
     * After a step was done and before it is remembered: the next attempt does it again under the same key, or as its
     * rule for an unknown outcome says.
     */
    BEFORE_REMEMBER,
    /** After a step was remembered and before the work goes on: the next attempt does not do it again. */
    AFTER_REMEMBER,
    /**
     * After the work was committed and before its record is completed: the next attempt runs the work again when the
     * lease has ended, unless it finds its inbox row.
     */
    BEFORE_COMPLETE,
    /**
     * After the record was completed and before broker or client were told: a duplicate is answered without running.
     */
    BEFORE_ACKNOWLEDGE
}
