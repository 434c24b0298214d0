package io.idem.consumer.internal.delivery;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The transaction in which a listener container makes one delivery. It commits after the listener has returned, so its
 * end decides about the work's record. The delivery hook makes it and reports the end. Confined to the delivering
 * thread.
 */
public final class ContainerTransaction {

    private final BooleanSupplier current;
    private @Nullable TransactedEffect effect;

    /**
     * Joins a transaction that has begun.
     *
     * @param current whether the calling thread works in it
     */
    public ContainerTransaction(BooleanSupplier current) {
        this.current = current;
    }

    public boolean isCurrent() {
        return current.getAsBoolean();
    }

    /** Keeps work that is done if the transaction commits. */
    public void await(TransactedEffect end) {
        effect = end;
    }

    /** Returns whether work is waiting for the end. */
    public boolean isAwaited() {
        return effect != null;
    }

    /**
     * Checks the lease right before the commit.
     *
     * @throws io.idem.LeaseLostException if another owner may be doing the work: roll back
     */
    public void beforeCommit() {
        if (effect != null) {
            effect.requireOwner();
        }
    }

    /** Completes the record after the commit. Blocks while the store is silent, and never throws. */
    public void committed() {
        TransactedEffect ended = taken();
        if (ended != null) {
            ended.complete();
        }
    }

    /** Releases the key after a rollback. Never throws. */
    public void rolledBack() {
        TransactedEffect ended = taken();
        if (ended != null) {
            ended.release();
        }
    }

    /**
     * Lets the lease expire, because it is unknown whether the transaction has committed. The next owner learns that by
     * its takeover.
     */
    public void unknown() {
        TransactedEffect ended = taken();
        if (ended != null) {
            ended.leave();
        }
    }

    private @Nullable TransactedEffect taken() {
        TransactedEffect taken = effect;
        effect = null;
        return taken;
    }
}
