package io.idem;

/** What a {@link Reconciler} found out. */
public sealed interface Reconciliation {

    /** The work had taken effect: it is not run, the record is completed with this result, and duplicates are answered with it. */
    record Done(StoredResult result) implements Reconciliation {}

    /** The work had taken no effect: it runs now. */
    record NotDone() implements Reconciliation {}

    /**
     * A person has to look: the record is rejected for {@code reason}, and a message becomes a dead letter.
     *
     * @param reason at most 1,024 characters are kept
     */
    record Reject(String reason) implements Reconciliation {

        /** Shortens the reason. */
        public Reject {
            reason = FailurePolicy.shortened(reason);
        }
    }

    /** It cannot be known yet: nothing runs, and whoever takes over once this lease has ended asks again. */
    record AskAgain() implements Reconciliation {}

    /** Done, with a result: what {@link ResultCodec#encode} makes of what the work would have returned. */
    static Reconciliation done(StoredResult result) {
        return new Done(result);
    }

    /** Done, by work that returns nothing. */
    static Reconciliation done() {
        return new Done(StoredResult.NONE);
    }

    /** Not done: run. */
    static Reconciliation notDone() {
        return new NotDone();
    }

    /** Unknown: reject the record for this reason, and leave it to a person. */
    static Reconciliation reject(String reason) {
        return new Reject(reason);
    }

    /** Unknown: ask again later. */
    static Reconciliation askAgain() {
        return new AskAgain();
    }
}
