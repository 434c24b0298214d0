package io.idem;

/** The states of a record. */
public enum RecordState {
    /** There is no record: the key was never acquired, or its retention ended. Entered by expiry; left by ACQUIRE. */
    ABSENT,
    /**
     * An owner acquired the record. Entered by ACQUIRE; left by COMPLETE, FAIL and REJECT of the owner, or by a
     * takeover.
     */
    PENDING,
    /** The work is done and its result is kept. Entered by COMPLETE; left by REOPEN and by the end of retention. */
    COMPLETED,
    /** The key was released for a retry. Entered by FAIL and REOPEN; left by ACQUIRE. */
    FAILED,
    /** The work failed for good. Entered by REJECT; left by REOPEN and by the end of retention. */
    REJECTED
}
