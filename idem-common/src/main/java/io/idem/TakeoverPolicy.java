package io.idem;

/**
 * What happens when a grant takes over from an owner that ended without a settlement: nobody knows whether its work took
 * effect. An inbox that knows the work decides first; the policy is asked where it does not.
 */
public sealed interface TakeoverPolicy {

    /** Runs the work again, which may repeat its effect. The default: right for work that is idempotent by itself. */
    record Rerun() implements TakeoverPolicy {}

    /** Does not run the work: the record is rejected and a message becomes a dead letter, for a person to decide. */
    record Reject() implements TakeoverPolicy {}

    /** Asks. */
    record Reconcile(Reconciler reconciler) implements TakeoverPolicy {}

    /** Run again. */
    static TakeoverPolicy rerun() {
        return new Rerun();
    }

    /** Reject as unknown: leave it to a person. */
    static TakeoverPolicy reject() {
        return new Reject();
    }

    /** Ask. */
    static TakeoverPolicy reconcile(Reconciler reconciler) {
        return new Reconcile(reconciler);
    }
}
