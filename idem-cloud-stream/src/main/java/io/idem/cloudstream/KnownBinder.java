package io.idem.cloudstream;

import io.idem.consumer.internal.definition.DefinedListener;
import java.lang.reflect.Method;
import org.springframework.cloud.stream.binder.Binder;
import org.springframework.integration.core.MessageProducer;
import org.springframework.messaging.MessageHandler;

/** A kind of binder whose containers and producers idem can reach. */
interface KnownBinder {

    /** The name of its transport in events and meters. */
    String transport();

    boolean isKindOf(Binder<?, ?, ?> binder);

    /**
     * Installs the delivery hook in the container of an adapter; before the binder initializes and starts the adapter.
     *
     * @param adapter still with the binding's own channel
     * @param named the method by which a developer finds the listener
     * @throws io.idem.consumer.ListenerConfigurationException if the container cannot be made safe
     */
    void hook(Binder<?, ?, ?> binder, MessageProducer adapter, DefinedListener listener, Method named);

    /** Lets a producer carry keys on. */
    void propagate(MessageHandler producer, String destination);
}
