package io.idem.consumer.internal.rabbit.message;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.delivery.ListenerStops;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;

/**
 * The container whose deliveries a hook settles. Thread-safe once the container has started.
 */
public final class HookedContainer {

    private final AbstractMessageListenerContainer container;
    private final boolean endsAsync;
    private final boolean requeuesRejected;
    private final boolean transactional;
    private @Nullable DeferringListener listener;
    private boolean acknowledgesImmediately;

    /** Takes a container, before it starts. */
    public HookedContainer(AbstractMessageListenerContainer container) {
        this.container = container;
        ContainerFacts facts = new ContainerFacts(container);
        endsAsync = facts.endsAsync();
        requeuesRejected = facts.requeuesRejected();
        transactional = facts.transactionManager() != null;
        if ((endsAsync || isManual()) && container instanceof SimpleMessageListenerContainer simple) {
            // The container would acknowledge all earlier messages of its channel, and those may still be running.
            acknowledgesImmediately = facts.acknowledgesImmediately();
            simple.setEnforceImmediateAckForManual(false);
        }
    }

    /** Read at each delivery: a container switches to MANUAL by itself when it starts with an asynchronous listener. */
    public boolean isManual() {
        return container.getAcknowledgeMode() == AcknowledgeMode.MANUAL;
    }

    /**
     * Returns whether in mode MANUAL a message is to be acknowledged whose listener throws an
     * {@code ImmediateAcknowledgeAmqpException}.
     */
    public boolean acknowledgesImmediately() {
        return acknowledgesImmediately;
    }

    /** Returns whether it delivers inside transactions of its own. */
    public boolean isTransactional() {
        return transactional;
    }

    /** Returns whether its listener's work ends after its return. */
    public boolean endsAsync() {
        return endsAsync;
    }

    /** Returns whether failed messages come again if their failure does not say. */
    public boolean requeuesRejected() {
        return requeuesRejected;
    }

    /**
     * Decorates the container's error handler, unless that is done, so that it sees no deferrals. Called at each
     * delivery, since an application may set an error handler at any time.
     */
    public void keepDeferralsFromErrorHandler() {
        DeferralErrorHandler.install(container);
    }

    /**
     * Makes the container answer deferrals in a way that no broker counts; for containers of single messages, before
     * they start.
     */
    public void keepDeferralsUncounted() {
        listener = DeferringListener.install(container).orElse(null);
    }

    /** Notes whether the delivery of this thread ends with a deferral. */
    public void deferred(boolean isDeferred) {
        if (listener != null) {
            listener.deferred(isDeferred);
        }
    }

    /** Stops it, and waits until it takes no more messages, or has been started again. */
    public void stop(ListenerStops stops, ListenerConfigurationException why) {
        stops.stopAndWait(container, why, this::isStopping);
    }

    /** Returns whether it was stopped for its configuration and only empties its prefetched messages. */
    public boolean isStopped(ListenerStops stops) {
        return isStopping() && stops.isStopped(container);
    }

    /** Returns whether the container is stopping, so that no delivery may wait any longer. */
    public boolean isStopping() {
        return !container.isActive();
    }
}
