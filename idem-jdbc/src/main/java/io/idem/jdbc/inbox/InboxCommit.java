package io.idem.jdbc.inbox;

import io.idem.IdempotencyContext.Binding;
import io.idem.Inbox.InboxWork;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The commit of an inbox transaction. Writes the row after all other callbacks that run before the commit, because these
 * may end the transaction too: the database does so at a deadlock whose exception a callback catches. Callbacks are part
 * of the work and have its context, but not after a roll-back. Used once, by the thread of the transaction.
 *
 * @param <T> what is written
 */
final class InboxCommit<T> {

    private final InboxTransaction transaction;
    private final InboxWork work;
    private final Supplier<T> statements;
    private @Nullable Binding context;
    private @Nullable T written;
    private boolean committed;

    /** @param statements the last statements of the transaction */
    InboxCommit(InboxTransaction transaction, InboxWork work, Supplier<T> statements) {
        this.transaction = transaction;
        this.work = work;
        this.statements = statements;
    }

    /**
     * Commits.
     *
     * @throws RuntimeException if the transaction was rolled back, or if the commit failed in another way and its outcome
     *     is unknown, see {@link #written}
     */
    void run() {
        TransactionSynchronizationManager.registerSynchronization(new First());
        TransactionSynchronizationManager.registerSynchronization(new Last());
        context = work.bind();
        try {
            transaction.commit();
        } catch (NotCommittable failure) {
            throw failure.reason;
        } finally {
            unbind();
        }
    }

    private void unbind() {
        Binding bound = context;
        context = null;
        if (bound != null) {
            bound.close();
        }
    }

    /** Returns what was written; null if the transaction was rolled back before its commit. */
    @Nullable T written() {
        return written;
    }

    /** Returns whether the transaction was committed for certain, though callbacks may have failed since. */
    boolean committed() {
        return committed;
    }

    private T write() {
        transaction.flush();
        if (transaction.isRollbackOnly()) {
            throw new UnexpectedRollbackException(
                    "A callback before the commit has marked the transaction as rollback-only");
        }
        return statements.get();
    }

    /** The callbacks that are called before all others. */
    final class First implements TransactionSynchronization {

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public void afterCommit() {
            committed = true;
            work.afterCommit();
        }

        /** Rolls back where a callback threw a transaction exception: managers take that for the end of the transaction. */
        @Override
        public void afterCompletion(int status) {
            if (!committed) {
                unbind();
            }
            if (written == null) {
                transaction.rollBackConnection();
            }
        }
    }

    /** The callback that is called after all others, because it has the least precedence and is registered last. */
    final class Last implements TransactionSynchronization {

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            try {
                written = write();
            } catch (TransactionException failure) {
                throw new NotCommittable(failure);
            }
        }
    }

    /** Hides a transaction exception from the manager, which would take it for the end of the transaction. */
    private static final class NotCommittable extends RuntimeException {

        private final TransactionException reason;

        NotCommittable(TransactionException reason) {
            super(reason);
            this.reason = reason;
        }
    }
}
