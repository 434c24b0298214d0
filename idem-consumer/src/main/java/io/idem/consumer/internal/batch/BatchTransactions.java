package io.idem.consumer.internal.batch;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionStatus;

/**
 * Ends of the transactions that the calling thread ran during one hand-over of a batch. If all transactions that may
 * have written were rolled back, nothing took effect, whatever an exception says of single messages. Only the outermost
 * transactions count: the commit of an inner one says nothing about the outer one's writes.
 */
public final class BatchTransactions {

    private static final ThreadLocal<@Nullable BatchTransactions> BOUND = new ThreadLocal<>();

    private int open;
    private boolean committed;
    private boolean rolledBack;

    BatchTransactions() {}

    /** Starts watching the calling thread; the caller ends the watch, too. */
    void begin() {
        BOUND.set(this);
    }

    void end() {
        BOUND.remove();
    }

    /** Notes a transaction that the calling thread has begun. */
    public static void begun(TransactionExecution transaction) {
        BatchTransactions watching = watching(transaction);
        if (watching != null && mayWrite(transaction)) {
            watching.open++;
        }
    }

    /** Notes a transaction of the calling thread that was committed. */
    public static void committed(TransactionExecution transaction) {
        BatchTransactions watching = watching(transaction);
        if (watching != null && watching.endsOutermost(transaction)) {
            watching.committed |= mayWrite(transaction);
        }
    }

    /** Notes a transaction of the calling thread that was rolled back, or whose commit failed. */
    public static void rolledBack(TransactionExecution transaction) {
        BatchTransactions watching = watching(transaction);
        if (watching != null && watching.endsOutermost(transaction)) {
            watching.rolledBack = true;
        }
    }

    /**
     * Returns null also for the end of a savepoint or of a part of a larger transaction, and for a reactive
     * transaction, which may end on any thread.
     */
    private static @Nullable BatchTransactions watching(TransactionExecution transaction) {
        boolean whole =
                transaction instanceof TransactionStatus && transaction.isNewTransaction() && !transaction.isNested();
        return whole ? BOUND.get() : null;
    }

    /**
     * Returns whether the transaction may write. The rollback of a read-only one takes nothing back, so inner commits
     * stand.
     */
    private static boolean mayWrite(TransactionExecution transaction) {
        return !transaction.isReadOnly();
    }

    private boolean endsOutermost(TransactionExecution transaction) {
        if (mayWrite(transaction) && open > 0) {
            open--;
        }
        return open == 0;
    }

    /** Returns whether there was a transaction and none that may have written was committed. */
    boolean undone() {
        return rolledBack && !committed;
    }
}
