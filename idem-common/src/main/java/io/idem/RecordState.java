package io.idem;

/** The states of a record. */
public enum RecordState {
    /** There is no record: never acquired, or its retention ended. Entered by expiry; left by ACQUIRE. */
    ABSENT,
    /** Somebody acquired it. Entered by ACQUIRE; left by COMPLETE, FAIL and REJECT of the owner, or by a takeover. */
    PENDING,
    /** Done, the result is kept. Entered by COMPLETE; left only by REOPEN and the end of retention. */
    COMPLETED,
    /** Given back for a retry. Entered by FAIL and REOPEN; left by ACQUIRE. */
    FAILED,
    /** Failed for good. Entered by REJECT; left only by REOPEN and the end of retention. */
    REJECTED
}
