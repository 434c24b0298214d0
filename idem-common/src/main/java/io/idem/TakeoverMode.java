package io.idem;

/** Names of the {@link TakeoverPolicy takeover policies} in settings and annotations. */
public enum TakeoverMode {
    /** See {@link TakeoverPolicy.Rerun}. */
    RERUN,
    /** See {@link TakeoverPolicy.Reject}. */
    REJECT,
    /** See {@link TakeoverPolicy.Reconcile}. */
    RECONCILE
}
