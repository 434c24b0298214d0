package io.idem.jdbc.inbox;

import io.idem.RecordId;
import org.springframework.core.Ordered;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * Refuses to let an inbox transaction be suspended: what is written meanwhile would stay when the work is rolled back. Asked
 * first, before anything is suspended, so the refusal leaves the transaction as it was.
 */
final class SuspensionGuard implements TransactionSynchronization {

    private final RecordId record;
    private boolean committed;

    SuspensionGuard(RecordId record) {
        this.record = record;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void suspend() {
        if (!committed) {
            throw new IllegalTransactionStateException("The work of " + record
                    + " asked for a transaction that commits apart from its inbox row, and was refused: REQUIRES_NEW,"
                    + " NOT_SUPPORTED, or one of another transaction manager. Use REQUIRED or NESTED, or do it"
                    + " in a callback after the commit");
        }
    }

    /** From here on callbacks after the commit run, and may open transactions of their own. */
    @Override
    public void afterCommit() {
        committed = true;
    }
}
