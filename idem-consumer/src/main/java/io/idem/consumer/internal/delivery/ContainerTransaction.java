package io.idem.consumer.internal.delivery;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
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
        end(TransactedEffect::complete);
    }

    /** Releases the key after a rollback. Never throws. */
    public void rolledBack() {
        end(TransactedEffect::release);
    }

    /**
     * Lets the lease expire, because it is unknown whether the transaction has committed. The next owner learns that by
     * its takeover.
     */
    public void unknown() {
        end(TransactedEffect::leave);
    }

    private void end(Consumer<TransactedEffect> how) {
        TransactedEffect ended = effect;
        effect = null;
        if (ended != null) {
            how.accept(ended);
        }
    }
}
