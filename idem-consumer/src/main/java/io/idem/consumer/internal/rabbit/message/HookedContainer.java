package io.idem.consumer.internal.rabbit.message;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.delivery.ListenerStops;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;

/**
 * The container whose deliveries a hook settles. A hook exists before its container does, since the container is
 * created with it; no method is called before the container is attached. Thread-safe then.
 */
public final class HookedContainer {

    private static final long STOP_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private @Nullable AbstractMessageListenerContainer container;
    private @Nullable DeferringListener listener;
    private boolean endsAsync;
    private boolean requeuesRejected;
    private boolean transactional;
    private boolean acknowledgesImmediately;

    /** Attaches the container; before it starts. */
    public void attach(AbstractMessageListenerContainer to) {
        container = to;
        ContainerFacts facts = new ContainerFacts(to);
        endsAsync = facts.endsAsync();
        requeuesRejected = facts.requeuesRejected();
        transactional = facts.transactionManager() != null;
        if ((endsAsync || isManual()) && to instanceof SimpleMessageListenerContainer simple) {
            // The container would acknowledge all earlier messages of its channel, and those may still be running.
            acknowledgesImmediately = facts.acknowledgesImmediately();
            simple.setEnforceImmediateAckForManual(false);
        }
    }

    /** Read at each delivery: a container switches to MANUAL by itself when it starts with an asynchronous listener. */
    public boolean isManual() {
        return container != null && container.getAcknowledgeMode() == AcknowledgeMode.MANUAL;
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
        if (container != null) {
            DeferralErrorHandler.install(container);
        }
    }

    /**
     * Makes the container answer deferrals in a way that no broker counts; for containers of single messages, before
     * they start.
     */
    public void keepDeferralsUncounted() {
        listener = DeferringListener.install(Objects.requireNonNull(container)).orElse(null);
    }

    /** Notes whether the delivery of this thread ends with a deferral. */
    public void deferred(boolean isDeferred) {
        if (listener != null) {
            listener.deferred(isDeferred);
        }
    }

    /** Stops it, and waits until it takes no more messages, or has been started again. */
    public void stop(ListenerStops stops, ListenerConfigurationException why) {
        AbstractMessageListenerContainer hooked = Objects.requireNonNull(container);
        stops.stop(hooked, why);
        while (!isStopping()
                && stops.isStopped(hooked)
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(STOP_POLL_NANOS);
        }
    }

    /** Returns whether it was stopped for its configuration and only empties its prefetched messages. */
    public boolean isStopped(ListenerStops stops) {
        return isStopping() && container != null && stops.isStopped(container);
    }

    /** Returns whether the container is stopping, so that no delivery may wait any longer. */
    public boolean isStopping() {
        return container != null && !container.isActive();
    }
}
