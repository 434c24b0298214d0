package io.idem.consumer.rabbit;

import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;

/**
 * What a delivery hook knows of the container whose deliveries it settles. A hook exists before its container does, since the
 * container is created with it; nothing is asked before it is attached. Thread-safe once it is.
 */
final class HookedContainer {

    private @Nullable AbstractMessageListenerContainer container;
    private boolean endsLate;
    private boolean requeuesRejected;
    private boolean transactional;

    /** Before the container starts. */
    void attach(AbstractMessageListenerContainer to) {
        container = to;
        ContainerFacts facts = new ContainerFacts(to);
        endsLate = facts.endsLate();
        requeuesRejected = facts.requeuesRejected();
        transactional = facts.transactionManager() != null;
        if (endsLate && to instanceof SimpleMessageListenerContainer simple) {
            // It would acknowledge all that came before on its channel, and that may still be running.
            simple.setEnforceImmediateAckForManual(false);
        }
    }

    /** Asked at each delivery: a container switches to MANUAL by itself when it starts with an asynchronous listener. */
    boolean isManual() {
        return container != null && container.getAcknowledgeMode() == AcknowledgeMode.MANUAL;
    }

    /** Whether it delivers inside transactions of its own. */
    boolean isTransactional() {
        return transactional;
    }

    /** Whether its listener's work ends after its return. */
    boolean endsLate() {
        return endsLate;
    }

    /** Whether failed messages come again if their failure does not say. */
    boolean requeuesRejected() {
        return requeuesRejected;
    }

    /** Whether nothing may wait any longer. */
    boolean isStopping() {
        return container != null && !container.isActive();
    }
}
