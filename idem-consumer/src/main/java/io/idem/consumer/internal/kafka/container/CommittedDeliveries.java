package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.internal.delivery.ContainerTransaction;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Reports the ends of Kafka containers' transactions. Kafka's transaction manager knows no synchronizations, so this
 * listens to the manager itself. Thread-safe: each consumer's thread has at most one delivery whose transaction is
 * about to end.
 */
final class CommittedDeliveries implements TransactionExecutionListener {

    private final Map<Thread, Ending> endings = new ConcurrentHashMap<>();

    private static final class Ending {

        final ContainerTransaction transaction;
        boolean committing;

        Ending(ContainerTransaction transaction) {
            this.transaction = transaction;
        }
    }

    /** Listens to a manager; once, however many containers it has. */
    void listenTo(ConfigurableTransactionManager manager) {
        if (!manager.getTransactionExecutionListeners().contains(this)) {
            manager.addListener(this);
        }
    }

    /** Notes that the calling thread's next transaction end is that of its delivery, if work waits for it. */
    void endsNext(ContainerTransaction transaction) {
        if (transaction.isAwaited()) {
            endings.put(Thread.currentThread(), new Ending(transaction));
        }
    }

    @Override
    public void beforeCommit(TransactionExecution unused) {
        Ending current = endings.get(Thread.currentThread());
        if (current != null) {
            current.transaction.beforeCommit();
            current.committing = true;
        }
    }

    @Override
    public void afterCommit(TransactionExecution unused, @Nullable Throwable failure) {
        Ending ended = taken();
        if (ended != null && failure == null) {
            ended.transaction.committed();
        } else if (ended != null) {
            ended.transaction.unknown();
        }
    }

    /**
     * Handles a rollback. After a failed commit Spring rolls back, but the broker may have committed: the outcome is
     * unknown.
     */
    @Override
    public void afterRollback(TransactionExecution unused, @Nullable Throwable failure) {
        Ending ended = taken();
        if (ended != null && ended.committing) {
            ended.transaction.unknown();
        } else if (ended != null) {
            ended.transaction.rolledBack();
        }
    }

    private @Nullable Ending taken() {
        return endings.remove(Thread.currentThread());
    }
}
