package io.idem.test.steps;

/** The points at which a process is stopped; declared in the order of execution. */
enum Boundary {
    /** The record is granted, and the work has begun. */
    BEFORE_FIRST_STEP,
    /** The step has begun, and the provider has not heard of it. */
    REQUEST_NOT_SENT,
    /** The provider has acted, and the result is not remembered. */
    NOT_REMEMBERED,
    /** The first step is remembered and has not returned. */
    AFTER_FIRST_STEP,
    /** The first step has returned. */
    BETWEEN_STEPS,
    /** The work has written to its own database, in a transaction that is open; only with an inbox. */
    IN_TRANSACTION,
    /** The work has returned; with an inbox, its transaction is committed. Where that completes the record, this is no point. */
    BEFORE_COMPLETE,
    /** The record is completed, and the caller does not know it. */
    BEFORE_ACKNOWLEDGING;

    /** Returns whether the process was killed between the grant and COMPLETE. */
    boolean isBeforeComplete() {
        return this != BEFORE_ACKNOWLEDGING;
    }

    /** Returns whether the point is inside a step, and thus exists once for each step. */
    boolean isInStep() {
        return this == REQUEST_NOT_SENT || this == NOT_REMEMBERED;
    }
}
