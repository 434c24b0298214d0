package io.idem.jdbc.inbox;

import io.idem.Claim;
import io.idem.Inbox.Effect;
import io.idem.Lease;
import io.idem.jdbc.internal.RecordRow;

/** The outcome of a claim. */
sealed interface Claiming {

    /**
     * The work may run in an open transaction.
     *
     * @param claimed whether that has claimed the row; if not, the record is under the lease, which its commit completes
     * @param marked whether its last statement notices that the transaction has ended and another one has begun
     */
    record Mine(InboxTransaction transaction, Lease lease, boolean claimed, boolean marked) implements Claiming {}

    /** Work was done before, by this attempt or another one; or it is to run again once the messages of the row have left. */
    record Done(RecordRow row, Effect effect) implements Claiming {}

    /** Failed attempts let no work run; {@code answer} is what a store would have answered. */
    record Failed(Claim answer) implements Claiming {}

    /** Nothing was done, and nobody asks for the work to run. */
    record NotDone() implements Claiming {}

    /** Another attempt works on the record, or has just ended. */
    record UnderWay() implements Claiming {}
}
