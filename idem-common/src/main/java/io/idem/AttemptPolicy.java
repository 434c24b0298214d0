package io.idem;

/**
 * Rules for attempts that fail, are delayed or take over. Immutable; start with {@link #DEFAULT} and refine.
 *
 * @param failures rules that tell which exceptions are final; default {@link FailurePolicy#RETRY_ALL}
 * @param results rules that tell what returned values mean; default {@link ResultPolicy#ALL_DONE}
 * @param backoff the delay of a key after a failed attempt; default {@link Backoff#NONE}
 * @param takeover the reaction to an earlier attempt whose outcome is unknown; default {@link TakeoverPolicy#rerun()}
 * @param interruptOnLostLease whether the working thread is interrupted when its lease is lost; default false. The work
 *     must then tolerate an interrupt at every blocking call
 * @param transaction the part of the work for which the transaction of its inbox is open; default
 *     {@link InboxTransaction#WHOLE}. Without meaning for work without an inbox
 * @param keepIncomingKey whether a message that the work of a listener publishes with the key of its own message keeps
 *     it, other than as a later attempt; default false: it gets a key of its own
 */
public record AttemptPolicy(
        FailurePolicy failures,
        ResultPolicy results,
        Backoff backoff,
        TakeoverPolicy takeover,
        boolean interruptOnLostLease,
        InboxTransaction transaction,
        boolean keepIncomingKey) {

    /** The defaults: every failure is retried without delay, and work of an unknown outcome runs again. */
    public static final AttemptPolicy DEFAULT = new AttemptPolicy(
            FailurePolicy.RETRY_ALL,
            ResultPolicy.ALL_DONE,
            Backoff.NONE,
            TakeoverPolicy.rerun(),
            false,
            InboxTransaction.WHOLE,
            false);

    /** Returns a copy with other rules for exceptions. */
    public AttemptPolicy withFailures(FailurePolicy value) {
        return new AttemptPolicy(value, results, backoff, takeover, interruptOnLostLease, transaction, keepIncomingKey);
    }

    /** Returns a copy with other rules for returned values. */
    public AttemptPolicy withResults(ResultPolicy value) {
        return new AttemptPolicy(
                failures, value, backoff, takeover, interruptOnLostLease, transaction, keepIncomingKey);
    }

    /** Returns a copy with another delay after failures. */
    public AttemptPolicy withBackoff(Backoff value) {
        return new AttemptPolicy(
                failures, results, value, takeover, interruptOnLostLease, transaction, keepIncomingKey);
    }

    /** Returns a copy with another reaction to unknown outcomes. */
    public AttemptPolicy withTakeover(TakeoverPolicy value) {
        return new AttemptPolicy(failures, results, backoff, value, interruptOnLostLease, transaction, keepIncomingKey);
    }

    /** Returns a copy that does or does not interrupt the working thread when its lease is lost. */
    public AttemptPolicy withInterruptOnLostLease(boolean value) {
        return new AttemptPolicy(failures, results, backoff, takeover, value, transaction, keepIncomingKey);
    }

    /** Returns a copy with another part of the work in the transaction of its inbox. */
    public AttemptPolicy withTransaction(InboxTransaction value) {
        return new AttemptPolicy(failures, results, backoff, takeover, interruptOnLostLease, value, keepIncomingKey);
    }

    /** Returns a copy that does or does not keep the key of the own message of work on others that it publishes. */
    public AttemptPolicy withKeepIncomingKey(boolean value) {
        return new AttemptPolicy(failures, results, backoff, takeover, interruptOnLostLease, transaction, value);
    }
}
