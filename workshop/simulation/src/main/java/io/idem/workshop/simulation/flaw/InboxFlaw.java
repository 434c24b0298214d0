package io.idem.workshop.simulation.flaw;

/** A deliberate defect of an inbox that is the only store. */
public enum InboxFlaw {
    /** The inbox as it is. */
    NONE,
    /** The claim takes no lock, so that a duplicate runs beside work under way. */
    CLAIMED_WITHOUT_LOCK,
    /** The work commits in a transaction of its own, before its row. */
    WORK_COMMITTED_APART,
    /** The failures are removed in another transaction than the work's. */
    FAILURES_FORGIVEN_APART,
    /** A commit of unknown outcome counts as a failure of the work. */
    UNKNOWN_COMMIT_COUNTED,
    /** A duplicate of work under way is answered as one of finished work. */
    OPEN_TAKEN_FOR_DONE,
    /** The claim does not look at failures. */
    FAILURES_IGNORED,
    /** The fence counts failed attempts, and not every attempt fails before the next one. */
    FENCE_COUNTED,
    /** Rows are removed while duplicates of their work still come. */
    CLEANED_TOO_EARLY,
    /** An operator's reopen removes whatever is there, also the row of work that was done meanwhile. */
    REOPENED_UNSEEN,
    /** An operator's complete leaves no row, so that a later attempt takes effect. */
    COMPLETED_WITHOUT_ROW,
    /** A commit takes effect although the database had ended its session. */
    COMMITTED_BY_DEAD_SESSION;

    /** Returns the number of attempts with which the defect shows. */
    public String attempts() {
        return this == UNKNOWN_COMMIT_COUNTED ? "1" : "3";
    }
}
