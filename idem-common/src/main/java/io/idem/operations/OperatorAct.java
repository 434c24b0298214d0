package io.idem.operations;

import io.idem.RecordId;
import io.idem.RecordState;
import java.util.Optional;

/**
 * An operator's act and its outcome, for the audit.
 *
 * @param operator the operator
 * @param reason the reason in the operator's words
 * @param found the state of the record before; {@link RecordState#ABSENT} if there was none
 * @param done whether the act was done; if not, nothing was changed
 * @param failure the reason why it was not done, unless the state says so: the content of the inbox row, or that the
 *     store did not answer
 */
public record OperatorAct(
        RecordId record,
        Action action,
        String operator,
        String reason,
        RecordState found,
        boolean done,
        Optional<String> failure) {

    /** The acts of operators. */
    public enum Action {
        /** Releases the key of unfinished work, even while its owner is alive. */
        RELEASE,
        /** Completes unfinished work without a result, even while its owner is alive. */
        COMPLETE,
        /** Reopens work that failed for good, so that its message may be redriven. */
        REOPEN,
        /** Reopens work that failed for good and publishes its dead letter again, by a {@link DeadLetterRedriver}. */
        REDRIVE,
        /** Erases the result of finished work, or the reason of rejected work. It is still not run again. */
        ERASE
    }
}
