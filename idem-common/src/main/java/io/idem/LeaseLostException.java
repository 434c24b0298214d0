package io.idem;

/**
 * The lease ended before the commit. The work must not commit: let this exception leave the transaction. Nothing is
 * settled, and the message or request is deferred to whoever owns the record now.
 */
public final class LeaseLostException extends IdempotencyException {

    private final Lease lease;

    public LeaseLostException(Lease lease) {
        super(
                "The lease of " + lease.record() + " with fence " + lease.fence()
                        + " ended before the commit; the transaction is to be rolled back and the work deferred to the next owner");
        this.lease = lease;
    }

    /** The lease that ended. */
    public Lease lease() {
        return lease;
    }
}
