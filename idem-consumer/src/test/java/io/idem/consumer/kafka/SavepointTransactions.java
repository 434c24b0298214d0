package io.idem.consumer.kafka;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.SavepointManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Transactions without a database, which join one another and have savepoints. */
final class SavepointTransactions extends AbstractPlatformTransactionManager {

    private static final ThreadLocal<@Nullable Joined> OPEN = new ThreadLocal<>();

    SavepointTransactions() {
        setNestedTransactionAllowed(true);
    }

    @Override
    protected Object doGetTransaction() {
        Joined joined = OPEN.get();
        return joined == null ? new Joined() : joined;
    }

    @Override
    protected boolean isExistingTransaction(Object transaction) {
        return transaction == OPEN.get();
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        OPEN.set((Joined) transaction);
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        // Nothing to write.
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        // Nothing to take back.
    }

    @Override
    protected void doCleanupAfterCompletion(Object transaction) {
        OPEN.remove();
    }

    /** Nothing happens between its savepoints. */
    private static final class Joined implements SavepointManager {

        @Override
        public Object createSavepoint() {
            return new Object();
        }

        @Override
        public void rollbackToSavepoint(Object savepoint) {
            // Nothing to take back.
        }

        @Override
        public void releaseSavepoint(Object savepoint) {
            // Nothing to give up.
        }
    }
}
