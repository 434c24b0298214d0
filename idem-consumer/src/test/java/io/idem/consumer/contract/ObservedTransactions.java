package io.idem.consumer.contract;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Transactions without a database, noting their ends. */
public final class ObservedTransactions extends AbstractPlatformTransactionManager {

    private final transient EventLog log;

    /** Notes in the given log. */
    public ObservedTransactions(EventLog log) {
        this.log = log;
    }

    @Override
    protected Object doGetTransaction() {
        return this;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        // Nothing to open.
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        log.note(EventLog.COMMIT);
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        log.note(EventLog.ROLLBACK);
    }
}
