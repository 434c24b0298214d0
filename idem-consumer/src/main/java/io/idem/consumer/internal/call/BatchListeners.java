package io.idem.consumer.internal.call;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.batch.BatchListener;
import io.idem.consumer.internal.batch.BatchShape;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.engine.AsyncIdempotentExecutor;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** The deciding half for listener methods that get many messages at once. Thread-safe. */
public final class BatchListeners {

    private final IdempotentListeners listeners;
    private final AsyncIdempotentExecutor executor;
    private final Set<String> names = new ConcurrentSkipListSet<>();

    /**
     * Batches for the listeners of an application.
     *
     * @param executor asks for all messages of a batch together
     */
    public BatchListeners(IdempotentListeners listeners, AsyncIdempotentExecutor executor) {
        this.listeners = listeners;
        this.executor = executor;
    }

    /** Class and method of each listener that was asked for, in their order; complete once all containers are made. */
    public Set<String> names() {
        return Collections.unmodifiableSet(names);
    }

    /**
     * One listener method; ask once for each listener.
     *
     * @param bean whose method it is; may be in proxies
     * @throws ListenerConfigurationException if something of the method cannot be right for batches
     */
    public BatchListener of(Object bean, Method method) {
        ListenerDefinition definition = listeners.definitions().of(bean, method);
        BatchShape.check(definition);
        var unused = names.add(method.getDeclaringClass().getSimpleName() + "." + method.getName());
        return new BatchListener(
                definition,
                executor,
                listeners.settings(),
                listeners.events(),
                listeners.outages(),
                listeners.inProgress());
    }
}
