package io.idem.operations;

import io.idem.RecordId;
import io.idem.RecordState;
import java.util.Optional;

/**
 * What an operator asked for, and what became of it.
 *
 * @param operator who asked
 * @param reason why, in the operator's words
 * @param found the state that the record was in; {@link RecordState#ABSENT} for no record
 * @param done whether it was done; if not, nothing was changed
 * @param failure why it was not done, unless the state says so: what the inbox's row keeps, or that the store did not answer
 */
public record OperatorAct(
        RecordId record,
        Action action,
        String operator,
        String reason,
        RecordState found,
        boolean done,
        Optional<String> failure) {

    /** What an operator may do to a record. */
    public enum Action {
        /** Gives the key of unfinished work back, also while its owner is alive. */
        RELEASE,
        /** Calls unfinished work done, without a result, also while its owner is alive. */
        COMPLETE,
        /** Opens work that failed for good, so that its message may be redriven. */
        REOPEN,
        /** Opens work that failed for good and publishes its dead letter again, by a {@link DeadLetterRedriver}. */
        REDRIVE
    }
}
