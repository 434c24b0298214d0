package io.idem;

/**
 * Thrown when the lease ended before the commit. The work must not commit: let this exception leave the transaction.
 * The record is not updated, and the message or request is deferred to the next owner.
 */
public final class LeaseLostException extends IdempotencyException {

    private final Lease lease;

    public LeaseLostException(Lease lease) {
        super(
                "The lease of " + lease.record() + " with fence " + lease.fence()
                        + " ended before the commit; the transaction is to be rolled back and the work deferred to the next owner");
        this.lease = lease;
    }

    public Lease lease() {
        return lease;
    }
}
