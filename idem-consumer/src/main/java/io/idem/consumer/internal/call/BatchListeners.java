package io.idem.consumer.internal.call;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.batch.BatchListener;
import io.idem.consumer.internal.batch.BatchShape;
import io.idem.consumer.internal.definition.ListenerDefinition;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** Makes the {@link BatchListener}s of an application. Thread-safe. */
public final class BatchListeners {

    private final IdempotentListeners listeners;
    private final Set<String> names = new ConcurrentSkipListSet<>();

    /** Makes batch listeners that share the definitions of all other listeners. */
    public BatchListeners(IdempotentListeners listeners) {
        this.listeners = listeners;
    }

    /**
     * Class and method of each batch listener, in the order of their creation; complete once all containers are made.
     */
    public Set<String> names() {
        return Collections.unmodifiableSet(names);
    }

    /**
     * Makes the batch listener of a method; call it once for each method.
     *
     * @param bean whose method it is; may be in proxies
     * @throws ListenerConfigurationException if the method is not suitable for batches
     */
    public BatchListener of(Object bean, Method method) {
        ListenerDefinition definition = listeners.definitions().of(bean, method);
        BatchShape.check(definition);
        var unused = names.add(method.getDeclaringClass().getSimpleName() + "." + method.getName());
        return new BatchListener(definition, listeners.runtime());
    }
}
