package io.idem.consumer.internal.definition;

import io.idem.IdempotencyException;
import io.idem.InvalidKeyException;
import io.idem.Operation;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.MissingKeyException;
import io.idem.consumer.MissingKeyPolicy;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.DeliveryDecisions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Reads the operation of a message for a listener, and decides about messages whose key is missing or invalid. */
public record OperationReader(ListenerDefinition listener, ConsumerEvents events, DeliveryDecisions.Mode mode) {

    private static final Logger LOG = LoggerFactory.getLogger(OperationReader.class);

    /**
     * An operation, or what becomes of a message without one.
     *
     * @param operation empty if the key is missing or invalid
     * @param decision empty if the listener is to be called
     * @param failure the exception about the key; empty if there is none
     */
    public record Read(
            Optional<Operation> operation,
            Optional<DeliveryDecision> decision,
            Optional<? extends IdempotencyException> failure) {}

    /**
     * Reads a message.
     *
     * @throws io.idem.consumer.ListenerConfigurationException if the fingerprint cannot be taken of any message that
     *     comes this way
     */
    public Read read(DeliveredMessage message, @Nullable Object[] arguments) {
        try {
            Optional<Operation> operation = listener.operation(message, arguments);
            return operation.isPresent()
                    ? new Read(operation, Optional.empty(), Optional.empty())
                    : withoutKey(message);
        } catch (InvalidKeyException invalid) {
            events.publish(new ConsumerEvent.KeyInvalid(listener.scope(), message.transport()));
            LOG.debug("{} is refused by scope \"{}\": {}", message, listener.scope(), invalid.getMessage());
            DeliveryDecision refused = DeliveryDecisions.unusableKey(listener.scope(), invalid, mode);
            return new Read(Optional.empty(), Optional.of(refused), Optional.of(invalid));
        }
    }

    private Read withoutKey(DeliveredMessage message) {
        MissingKeyPolicy policy = listener.missingKey();
        events.publish(new ConsumerEvent.KeyMissing(listener.scope(), message.transport(), policy));
        // The dead letter has a log line of its own.
        LOG.atLevel(policy == MissingKeyPolicy.DEAD_LETTER ? Level.DEBUG : Level.WARN)
                .log("{} carries no key for scope \"{}\"; policy {}", message, listener.scope(), policy);
        MissingKeyException missing = new MissingKeyException(
                listener.scope(), message, listener.keys().toString());
        Optional<DeliveryDecision> decision = DeliveryDecisions.withoutKey(policy, listener.scope(), missing, mode);
        return new Read(Optional.empty(), decision, Optional.of(missing));
    }
}
