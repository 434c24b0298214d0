package io.idem.jdbc.inbox;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;

/** An open transaction. Used only by the thread that opened it. */
final class InboxTransaction {

    private static final Logger LOG = LoggerFactory.getLogger(InboxTransaction.class);

    private final PlatformTransactionManager manager;
    private final TransactionStatus status;

    InboxTransaction(PlatformTransactionManager manager, TransactionStatus status) {
        this.manager = manager;
        this.status = status;
    }

    <T, X extends Exception> T rollingBackOnFailure(Step<T, X> step) throws X {
        try {
            return step.run();
        } catch (Throwable failure) {
            rollBackAfter(failure);
            throw failure;
        }
    }

    private void rollBackAfter(Throwable failure) {
        try {
            manager.rollback(status);
        } catch (RuntimeException second) {
            // The connection is gone and the server rolls back by itself; report the first failure.
            failure.addSuppressed(second);
        }
    }

    /** Rolls the transaction back. A failure is only logged: without its connection the server rolls back. */
    void rollBack() {
        try {
            manager.rollback(status);
        } catch (RuntimeException failure) {
            LOG.debug(
                    "The roll-back of an inbox transaction failed; the server rolls back when the connection ends",
                    failure);
        }
    }

    void commit() {
        manager.commit(status);
    }

    /** Statements of the transaction. */
    @FunctionalInterface
    interface Step<T, X extends Exception> {
        T run() throws X;
    }
}
