package io.idem.consumer.internal.batch;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionStatus;

/**
 * How the transactions ended that the calling thread ran during one hand-over of a batch. If all that wrote were rolled back, nothing
 * took effect, whatever an exception says of single messages. Only the outermost ones count: what is committed inside of another one
 * says nothing of what that one wrote.
 */
public final class BatchTransactions {

    private static final ThreadLocal<@Nullable BatchTransactions> BOUND = new ThreadLocal<>();

    private int open;
    private boolean committed;
    private boolean rolledBack;

    BatchTransactions() {}

    /** Watches the calling thread; whoever began ends it, too. */
    void begin() {
        BOUND.set(this);
    }

    void end() {
        BOUND.remove();
    }

    /** To be told of a transaction that the calling thread has begun. */
    public static void begun(TransactionExecution transaction) {
        BatchTransactions watching = watching(transaction);
        if (watching != null && mayWrite(transaction)) {
            watching.open++;
        }
    }

    /** To be told of a transaction of the calling thread that was committed. */
    public static void committed(TransactionExecution transaction) {
        BatchTransactions watching = watching(transaction);
        if (watching != null && watching.endsOutermost(transaction)) {
            watching.committed |= mayWrite(transaction);
        }
    }

    /** To be told of a transaction of the calling thread that was rolled back, or whose commit failed. */
    public static void rolledBack(TransactionExecution transaction) {
        BatchTransactions watching = watching(transaction);
        if (watching != null && watching.endsOutermost(transaction)) {
            watching.rolledBack = true;
        }
    }

    /**
     * Null also for what ends no transaction: a savepoint, or a part of a larger one; and for a reactive transaction, which may end on
     * any thread.
     */
    private static @Nullable BatchTransactions watching(TransactionExecution transaction) {
        boolean whole =
                transaction instanceof TransactionStatus && transaction.isNewTransaction() && !transaction.isNested();
        return whole ? BOUND.get() : null;
    }

    /** One that only reads takes nothing back when it is rolled back, so what is committed inside of it stands. */
    private static boolean mayWrite(TransactionExecution transaction) {
        return !transaction.isReadOnly();
    }

    private boolean endsOutermost(TransactionExecution transaction) {
        if (mayWrite(transaction) && open > 0) {
            open--;
        }
        return open == 0;
    }

    /** Whether there was a transaction and none that may have written was committed. */
    boolean undone() {
        return rolledBack && !committed;
    }
}
