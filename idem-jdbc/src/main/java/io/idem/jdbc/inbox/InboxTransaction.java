package io.idem.jdbc.inbox;

import io.idem.RecordId;
import io.idem.jdbc.internal.StaleConnections;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * An open transaction. Used only by the thread that opened it.
 *
 * @param dataSource the key under which the connection is bound to the thread
 */
record InboxTransaction(
        RecordId record, PlatformTransactionManager manager, TransactionStatus status, DataSource dataSource) {

    private static final Logger LOG = LoggerFactory.getLogger(InboxTransaction.class);

    <T, X extends Exception> T rollingBackOnFailure(Step<T, X> step) throws X {
        try {
            return step.run();
        } catch (Throwable failure) {
            rollBackAfter(failure);
            throw failure;
        }
    }

    private void rollBackAfter(Throwable failure) {
        StaleConnections.dropAfterTransaction(dataSource, failure);
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
                    "The roll-back of the inbox of {} failed; the server rolls back when the connection ends",
                    record,
                    failure);
        }
    }

    void commit() {
        manager.commit(status);
    }

    /** Writes what the session of an object-relational mapper has not yet written. */
    void flush() {
        status.flush();
    }

    boolean isRollbackOnly() {
        return status.isRollbackOnly();
    }

    /**
     * Rolls back on the connection that is bound to the thread, past the manager. A failure is only logged: without its
     * connection the server rolls back.
     */
    void rollBackConnection() {
        ConnectionHolder bound = (ConnectionHolder) TransactionSynchronizationManager.getResource(dataSource);
        if (bound == null) {
            return;
        }
        try {
            bound.getConnection().rollback();
        } catch (SQLException | RuntimeException failure) {
            LOG.debug("The roll-back on the connection of the inbox of {} failed", record, failure);
        }
    }

    /** Runs an action when the transaction has ended, in whatever way. */
    void atEnd(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                action.run();
            }
        });
    }

    /** Statements of the transaction. */
    @FunctionalInterface
    interface Step<T, X extends Exception> {
        T run() throws X;
    }
}
