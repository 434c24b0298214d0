package io.idem.consumer.internal.rabbit.message;

import io.idem.LeaseLostException;
import io.idem.consumer.internal.delivery.ContainerTransaction;
import org.springframework.amqp.core.Message;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Reports the end of a container's transaction: its acknowledgement follows in {@code afterCompletion}, so that
 * COMPLETE, in {@code afterCommit}, precedes it.
 */
public final class SynchronizedTransaction implements TransactionSynchronization {

    private final Message message;
    private final ContainerTransaction transaction = new ContainerTransaction(this::isCurrent);

    private SynchronizedTransaction(Message message) {
        this.message = message;
    }

    /** Joins the transaction that the container has begun on the calling thread. */
    public static ContainerTransaction join(Message message) {
        SynchronizedTransaction joined = new SynchronizedTransaction(message);
        TransactionSynchronizationManager.registerSynchronization(joined);
        return joined.transaction;
    }

    /** Returns whether the transaction is current, not suspended by another one. */
    private boolean isCurrent() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.getSynchronizations().contains(this);
    }

    /** Throws only this kind of exception, since any other would restart the consumer. */
    @Override
    public void beforeCommit(boolean readOnly) {
        try {
            transaction.beforeCommit();
        } catch (LeaseLostException lost) {
            throw new DeferredDeliveryException(lost.lease().record().scope(), "its lease was lost", message);
        }
    }

    @Override
    public void afterCommit() {
        transaction.committed();
    }

    @Override
    public void afterCompletion(int status) {
        if (status == STATUS_UNKNOWN) {
            transaction.unknown();
        } else {
            transaction.rolledBack();
        }
    }
}
