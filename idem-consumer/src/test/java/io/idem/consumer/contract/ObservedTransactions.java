package io.idem.consumer.contract;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Transactions without a database, noting their ends. */
public final class ObservedTransactions extends AbstractPlatformTransactionManager {

    private final transient EventLog log;
    private volatile boolean answerLost;

    /** Notes in the given log. */
    public ObservedTransactions(EventLog log) {
        this.log = log;
    }

    /** Lets nobody know whether the next commit has worked. */
    public void loseNextAnswer() {
        answerLost = true;
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
        if (answerLost) {
            answerLost = false;
            throw new TransactionSystemException("The test has lost the answer to the commit");
        }
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        log.note(EventLog.ROLLBACK);
    }
}
