package io.idem.jdbc.inbox;

import io.idem.Claim;
import io.idem.Lease;
import io.idem.jdbc.internal.InboxRow;

/** The outcome of a claim. */
sealed interface Claiming {

    /** The row is this attempt's, in an open transaction. */
    record Mine(InboxTransaction transaction, Lease lease) implements Claiming {}

    /** A row was committed before, by this attempt or another one. */
    record Done(InboxRow row) implements Claiming {}

    /** Failed attempts let no work run; {@code answer} is what a store would have answered. */
    record Failed(Claim answer) implements Claiming {}

    /** Another transaction works on the record, or has just ended. */
    record UnderWay() implements Claiming {}
}
