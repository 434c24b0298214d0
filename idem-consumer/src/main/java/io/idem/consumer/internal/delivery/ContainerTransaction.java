package io.idem.consumer.internal.delivery;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The transaction in which a listener container makes one delivery. It commits after the listener has returned, so its
 * end says what becomes of the work's record. The delivery hook makes it and tells it the end. Confined to the delivering
 * thread.
 */
public final class ContainerTransaction {

    private final BooleanSupplier current;
    private @Nullable TransactedEffect effect;

    /**
     * A transaction that has begun.
     *
     * @param current whether it is the one in which the calling thread works
     */
    public ContainerTransaction(BooleanSupplier current) {
        this.current = current;
    }

    public boolean isCurrent() {
        return current.getAsBoolean();
    }

    /** The work is done, if the transaction commits. */
    public void await(TransactedEffect end) {
        effect = end;
    }

    /** Whether work is waiting for the end. */
    public boolean isAwaited() {
        return effect != null;
    }

    /**
     * To be called right before the commit.
     *
     * @throws io.idem.LeaseLostException if somebody else may be doing the work: roll back
     */
    public void beforeCommit() {
        if (effect != null) {
            effect.requireOwner();
        }
    }

    /** It has committed: completes the record. Blocks while the store is silent, and never throws. */
    public void committed() {
        TransactedEffect ended = taken();
        if (ended != null) {
            ended.complete();
        }
    }

    /** It was rolled back: gives the key back. Never throws. */
    public void rolledBack() {
        TransactedEffect ended = taken();
        if (ended != null) {
            ended.release();
        }
    }

    /** Whether it has committed is not known: the lease lapses, and the next owner learns that by its takeover. */
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
