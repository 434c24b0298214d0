package io.idem;

/**
 * What becomes of attempts that do not simply succeed. Immutable; start with {@link #DEFAULT} and refine.
 *
 * @param failures which exceptions are final; default {@link FailurePolicy#RETRY_ALL}
 * @param results what returned values mean; default {@link ResultPolicy#ALL_DONE}
 * @param backoff delay of a key after a failed attempt; default {@link Backoff#NONE}
 * @param takeover what happens when an earlier attempt's outcome is unknown; default to run again
 * @param interruptOnLostLease whether the working thread is interrupted once its lease is lost; default false. The work must
 *     then tolerate an interrupt at every blocking call
 */
public record AttemptPolicy(
        FailurePolicy failures,
        ResultPolicy results,
        Backoff backoff,
        TakeoverPolicy takeover,
        boolean interruptOnLostLease) {

    /** Retry whatever failed, at once, and run again what was left open. */
    public static final AttemptPolicy DEFAULT = new AttemptPolicy(
            FailurePolicy.RETRY_ALL, ResultPolicy.ALL_DONE, Backoff.NONE, TakeoverPolicy.rerun(), false);

    /** The same with other final failures. */
    public AttemptPolicy withFailures(FailurePolicy value) {
        return new AttemptPolicy(value, results, backoff, takeover, interruptOnLostLease);
    }

    /** The same, judging returned values. */
    public AttemptPolicy withResults(ResultPolicy value) {
        return new AttemptPolicy(failures, value, backoff, takeover, interruptOnLostLease);
    }

    /** Another delay after failures; everything else stays. */
    public AttemptPolicy withBackoff(Backoff value) {
        return new AttemptPolicy(failures, results, value, takeover, interruptOnLostLease);
    }

    /** The same with another answer to unknown outcomes. */
    public AttemptPolicy withTakeover(TakeoverPolicy value) {
        return new AttemptPolicy(failures, results, backoff, value, interruptOnLostLease);
    }

    /** The same with or without interrupts. */
    public AttemptPolicy withInterruptOnLostLease(boolean value) {
        return new AttemptPolicy(failures, results, backoff, takeover, value);
    }
}
