package io.idem;

/**
 * What happens when a grant takes over from an owner that ended without a settlement: nobody knows whether its work took
 * effect. An inbox that knows the work decides first; the policy is asked where it does not.
 */
public sealed interface TakeoverPolicy {

    /** Runs the work again, which may repeat its effect. The default: right for work that is idempotent by itself. */
    record Rerun() implements TakeoverPolicy {}

    /** Does not run it: the record is rejected and a message becomes a dead letter, for a person to decide. */
    record Park() implements TakeoverPolicy {}

    /** Asks. */
    record Reconcile(Reconciler reconciler) implements TakeoverPolicy {}

    /** Run again. */
    static TakeoverPolicy rerun() {
        return new Rerun();
    }

    /** Leave it to a person. */
    static TakeoverPolicy park() {
        return new Park();
    }

    /** Ask. */
    static TakeoverPolicy reconcile(Reconciler reconciler) {
        return new Reconcile(reconciler);
    }
}
