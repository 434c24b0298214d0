package io.idem.consumer.batch;

import org.jspecify.annotations.Nullable;

/**
 * How the transactions ended that the calling thread ran during one hand-over of a batch. If all that wrote were rolled back, nothing
 * took effect, whatever an exception says of single messages.
 */
public final class BatchTransactions {

    private static final ThreadLocal<@Nullable BatchTransactions> BOUND = new ThreadLocal<>();

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

    /** To be told of a transaction of the calling thread that may have written and was committed. */
    public static void committed() {
        BatchTransactions watched = BOUND.get();
        if (watched != null) {
            watched.committed = true;
        }
    }

    /** To be told of a transaction of the calling thread that was rolled back. */
    public static void rolledBack() {
        BatchTransactions watched = BOUND.get();
        if (watched != null) {
            watched.rolledBack = true;
        }
    }

    /** Whether there was a transaction and none that may have written was committed. */
    boolean undone() {
        return rolledBack && !committed;
    }
}
