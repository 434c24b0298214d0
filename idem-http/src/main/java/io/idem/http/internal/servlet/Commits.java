package io.idem.http.internal.servlet;

import io.idem.http.internal.admission.HandlerRun;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Notes that a transaction was committed on the thread of a granted request's handler, so that its failure afterwards does not free the
 * key. Adds itself to the application's transaction managers. Thread-safe.
 */
public final class Commits
        implements TransactionExecutionListener, BeanPostProcessor, ApplicationListener<ContextRefreshedEvent> {

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof ConfigurableTransactionManager manager
                && !manager.getTransactionExecutionListeners().contains(this)) {
            manager.addListener(this);
        }
        return bean;
    }

    /** Reaches the managers of the contexts above, and of those of further dispatcher servlets. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent refreshed) {
        Stream.iterate(refreshed.getApplicationContext(), Objects::nonNull, ApplicationContext::getParent)
                .map(context -> context.getBeansOfType(ConfigurableTransactionManager.class, true, false))
                .forEach(managers -> managers.forEach((name, of) -> postProcessAfterInitialization(of, name)));
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
        if (failure == null && transaction.isNewTransaction() && !transaction.isReadOnly()) {
            RequestAttributes request = RequestContextHolder.getRequestAttributes();
            if (request != null && handler(request) instanceof HandlerRun handler) {
                handler.committed();
            }
        }
    }

    /** Returns the run of a request's handler; null if the request ended before the work of the thread. */
    private static @Nullable Object handler(RequestAttributes request) {
        try {
            return request.getAttribute(HandlerRun.ATTRIBUTE, RequestAttributes.SCOPE_REQUEST);
        } catch (IllegalStateException ended) {
            return null;
        }
    }
}
