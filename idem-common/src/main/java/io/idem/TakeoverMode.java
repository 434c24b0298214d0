package io.idem;

/** The names of the {@link TakeoverPolicy takeover policies} in settings and annotations. */
public enum TakeoverMode {
    /** Runs the work again: {@link TakeoverPolicy.Rerun}. */
    RERUN,
    /** Rejects the record: {@link TakeoverPolicy.Reject}. */
    REJECT,
    /** Asks a reconciler: {@link TakeoverPolicy.Reconcile}. */
    RECONCILE
}
