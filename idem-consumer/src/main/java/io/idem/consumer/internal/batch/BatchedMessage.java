package io.idem.consumer.internal.batch;

import io.idem.IdempotencyContext;
import io.idem.RunningOperation;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A message of a batch. Until it has a decision it is to run. Confined to the delivering thread. */
final class BatchedMessage {

    private final Delivery delivery;
    private @Nullable DeliveryDecision decision;
    private @Nullable RunningOperation operation;
    private @Nullable BatchedMessage twin;

    BatchedMessage(DeliveredMessage message) {
        this.delivery = new Delivery(message);
    }

    /** Returns the delivery, which knows the record once the key was read. */
    Delivery delivery() {
        return delivery;
    }

    DeliveredMessage message() {
        return delivery.message();
    }

    /** Marks a message that may run, and that is to be settled. */
    void granted(RunningOperation running) {
        operation = running;
    }

    /** Marks a message whose key an earlier message of the batch has: that one's decision holds for both. */
    void follows(BatchedMessage earlier) {
        twin = earlier;
    }

    void decide(DeliveryDecision by) {
        decision = by;
    }

    /** Returns the decision; empty if the message is to run, or follows one that is. */
    Optional<DeliveryDecision> decided() {
        return twin == null ? Optional.ofNullable(decision) : twin.decided().map(BatchedMessage::followed);
    }

    boolean toRun() {
        return decision == null && twin == null;
    }

    /** The message's context; null if it runs unguarded. */
    @Nullable IdempotencyContext context() {
        return operation == null ? null : operation.context();
    }

    /** The granted operation; null if the message runs unguarded. */
    @Nullable RunningOperation operation() {
        return operation;
    }

    DeliveryDecision decision() {
        return twin == null ? Objects.requireNonNull(decision, "The batch has not run yet") : followed(twin.decision());
    }

    private static DeliveryDecision followed(DeliveryDecision earlier) {
        if (earlier instanceof DeliveryDecision.Ran) {
            return new DeliveryDecision.Duplicate();
        }
        return earlier;
    }
}
