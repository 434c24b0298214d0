package io.idem;

/** The answer of a {@link Reconciler}. */
public sealed interface Reconciliation {

    /**
     * The work took effect: it does not run, the record is completed with this result, and duplicates are answered with
     * it.
     */
    record Done(StoredResult result) implements Reconciliation {}

    /** The work took no effect: it runs now. */
    record NotDone() implements Reconciliation {}

    /**
     * A person must decide: the record is rejected for {@code reason}, and a message becomes a dead letter.
     *
     * @param reason the reason, of which at most 1,024 characters are kept
     */
    record Reject(String reason) implements Reconciliation {

        /** Shortens the reason. */
        public Reject {
            reason = FailurePolicy.shortened(reason);
        }
    }

    /**
     * The outcome cannot be known yet: the work does not run, and the next takeover, after the end of this lease, asks
     * again.
     */
    record AskAgain() implements Reconciliation {}

    /**
     * Returns that the work took effect with a result.
     *
     * @param result the encoded value that the work would have returned, from {@link ResultCodec#encode}
     */
    static Reconciliation done(StoredResult result) {
        return new Done(result);
    }

    /** Returns that the work took effect, for work without a result. */
    static Reconciliation done() {
        return new Done(StoredResult.NONE);
    }

    /** Returns that the work took no effect and is to run. */
    static Reconciliation notDone() {
        return new NotDone();
    }

    /** Returns that the outcome is unknown and the record is to be rejected for a reason, for a person to decide. */
    static Reconciliation reject(String reason) {
        return new Reject(reason);
    }

    /** Returns that the outcome is unknown and the next takeover is to ask again. */
    static Reconciliation askAgain() {
        return new AskAgain();
    }
}
