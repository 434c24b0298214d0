package io.idem;

import io.idem.spi.Claim;
import io.idem.spi.Lease;
import io.idem.spi.Publications;
import io.idem.spi.Settlement;

/** One granted attempt: what the work sees of it, and the lease that its settling needs. */
final class Attempt implements IdempotencyContext {

    private final Operation operation;
    private final Lease lease;
    private final Claim.GrantKind kind;
    private final LocalDeadline deadline;
    private final Publications publications;
    private final ConfirmationBarrier barrier;

    Attempt(Operation operation, Claim.Granted granted, LocalDeadline deadline) {
        this.operation = operation;
        this.lease = granted.lease();
        this.kind = granted.kind();
        this.deadline = deadline;
        this.publications = new Publications(key(), operation.root(), scope(), operation.intake());
        this.barrier = new ConfirmationBarrier(publications);
    }

    Operation operation() {
        return operation;
    }

    Lease lease() {
        return lease;
    }

    ConfirmationBarrier barrier() {
        return barrier;
    }

    /** Takes in the answer to a renewal that was sent at {@code sentAt}. */
    void renewed(Settlement answer, long sentAt) {
        if (answer instanceof Settlement.Ok) {
            deadline.extendFrom(sentAt);
        } else if (answer instanceof Settlement.Lost) {
            deadline.lose();
        }
    }

    @Override
    public IdempotencyKey key() {
        return lease.record().key();
    }

    @Override
    public Scope scope() {
        return lease.record().scope();
    }

    @Override
    public String root() {
        return operation.root();
    }

    @Override
    public long fence() {
        return lease.fence();
    }

    @Override
    public int attempt() {
        return lease.attempt();
    }

    @Override
    public boolean takeover() {
        // A re-entrant grant answers a repeated acquire: how the first one came about went missing with its answer.
        return kind == Claim.GrantKind.TAKEOVER || (kind == Claim.GrantKind.REENTRANT && attempt() > 1);
    }

    @Override
    public boolean stillOwner() {
        return !deadline.passed();
    }

    @Override
    public void requireOwner() {
        if (deadline.passed()) {
            throw new LeaseLostException(lease);
        }
    }

    @Override
    public Publications publications() {
        return publications;
    }
}
