package io.idem;

/**
 * Finds out what became of an attempt whose owner died: asks the payment provider, looks for the row, the file or the mail.
 * Written by users. Thread-safe; may block, for the lease is renewed meanwhile.
 */
@FunctionalInterface
public interface Reconciler {

    /**
     * Answers what is known. Called while this attempt owns the key, and again at the next takeover if it could not tell.
     *
     * @throws Exception means that nothing could be found out: the work is deferred, nothing runs, and the next takeover, at the
     *     earliest when this lease has ended, asks again
     */
    Reconciliation reconcile(UnknownOutcome attempt) throws Exception;
}
