package io.idem;

/**
 * The reaction to a grant that takes over from an owner whose lease ended, so that it is unknown whether its work took
 * effect. An inbox that has a row of the work decides first; the policy applies where there is none.
 */
public sealed interface TakeoverPolicy {

    /** Runs the work again, which may repeat its effect. The default; right for work that is idempotent by itself. */
    record Rerun() implements TakeoverPolicy {}

    /** Does not run the work: the record is rejected and a message becomes a dead letter, for a person to decide. */
    record Reject() implements TakeoverPolicy {}

    /** Asks a {@link Reconciler} whether the work took effect. */
    record Reconcile(Reconciler reconciler) implements TakeoverPolicy {}

    /** Returns the policy that runs the work again. */
    static TakeoverPolicy rerun() {
        return new Rerun();
    }

    /** Returns the policy that rejects the record, for a person to decide. */
    static TakeoverPolicy reject() {
        return new Reject();
    }

    /** Returns the policy that asks a reconciler. */
    static TakeoverPolicy reconcile(Reconciler reconciler) {
        return new Reconcile(reconciler);
    }
}
