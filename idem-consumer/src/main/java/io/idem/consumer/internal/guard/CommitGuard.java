package io.idem.consumer.internal.guard;

import io.idem.IdempotencyContext;
import io.idem.consumer.internal.batch.BatchTransactions;
import io.idem.consumer.internal.batch.BoundContexts;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Refuses commits of work whose lease is over, because another owner may be running it. Works on every
 * {@link ConfigurableTransactionManager} of the application; an exception before the commit rolls the transaction back.
 * Also notes for batches how their transactions ended.
 */
public final class CommitGuard implements BeanPostProcessor {

    private static final TransactionExecutionListener LISTENER = new TransactionExecutionListener() {
        @Override
        public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
            if (beginFailure == null) {
                BatchTransactions.begun(transaction);
            }
        }

        @Override
        public void beforeCommit(TransactionExecution transaction) {
            IdempotencyContext.current().ifPresent(IdempotencyContext::requireOwner);
            for (@Nullable IdempotencyContext bound : BoundContexts.current()) {
                if (bound != null) {
                    bound.requireOwner();
                }
            }
        }

        @Override
        public void afterCommit(TransactionExecution transaction, @Nullable Throwable commitFailure) {
            if (commitFailure == null) {
                BatchTransactions.committed(transaction);
            } else {
                BatchTransactions.rolledBack(transaction);
            }
        }

        @Override
        public void afterRollback(TransactionExecution transaction, @Nullable Throwable rollbackFailure) {
            BatchTransactions.rolledBack(transaction);
        }
    };

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager manager) {
            manager.addListener(LISTENER);
        }
        return bean;
    }
}
