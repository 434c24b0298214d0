package io.idem.consumer.guard;

import io.idem.IdempotencyContext;
import io.idem.consumer.batch.BatchContexts;
import java.util.Objects;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Refuses commits of work whose lease is over: somebody else may be running it. Works on every
 * {@link ConfigurableTransactionManager} of the application; what is thrown before the commit rolls the transaction back.
 */
public final class CommitGuard implements BeanPostProcessor {

    private static final TransactionExecutionListener LISTENER = new TransactionExecutionListener() {
        @Override
        public void beforeCommit(TransactionExecution transaction) {
            IdempotencyContext.current().ifPresent(IdempotencyContext::requireOwner);
            BatchContexts.current().stream().filter(Objects::nonNull).forEach(IdempotencyContext::requireOwner);
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
