package io.idem.test.steps;

/** A message of a process to the {@link Provider}. */
enum Report {
    /** The call of a step, with its key: the provider acts and returns a reference. */
    CALL,
    /** The question what was done under the key of a step. */
    FIND,
    /** The store has said that a step is remembered. */
    REMEMBERED,
    /** A step has returned a value. */
    RETURNED,
    /** The work is stopped at its place until this is answered. */
    STOPPED,
    /** An attempt has ended without a decision. */
    DEFERRED,
    /** The record is settled. */
    SETTLED
}
