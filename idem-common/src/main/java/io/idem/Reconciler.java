package io.idem;

/**
 * Finds out whether an attempt whose owner died took effect, for instance by asking the payment provider or looking for
 * the row, the file or the mail. Written by users. Thread-safe. May block: the lease is renewed meanwhile.
 */
@FunctionalInterface
public interface Reconciler {

    /**
     * Returns what is known about the attempt. Called while this attempt owns the key, and again at the next takeover
     * if the answer was {@link Reconciliation.AskAgain}.
     *
     * @throws Exception if nothing could be found out: the work is deferred and does not run; the next takeover, after
     *     the end of this lease at the earliest, asks again
     */
    Reconciliation reconcile(UnknownOutcome attempt) throws Exception;
}
