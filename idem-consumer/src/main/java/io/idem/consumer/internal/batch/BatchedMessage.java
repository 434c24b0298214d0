package io.idem.consumer.internal.batch;

import io.idem.IdempotencyContext;
import io.idem.RunningOperation;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One message of a batch: it is to run until it has a verdict. Confined to the delivering thread. */
final class BatchedMessage {

    private final DeliveredMessage message;
    private @Nullable DeliveryDecision verdict;
    private @Nullable RunningOperation operation;
    private @Nullable BatchedMessage twin;

    BatchedMessage(DeliveredMessage message) {
        this.message = message;
    }

    DeliveredMessage message() {
        return message;
    }

    /** It may run, and is to be settled. */
    void granted(RunningOperation running) {
        operation = running;
    }

    /** An earlier message of the batch has the same key: its fate is this one's too. */
    void follows(BatchedMessage earlier) {
        twin = earlier;
    }

    void decide(DeliveryDecision by) {
        verdict = by;
    }

    /** Empty if it is to run, or follows one that is. */
    Optional<DeliveryDecision> decided() {
        return twin == null ? Optional.ofNullable(verdict) : twin.decided().map(BatchedMessage::followed);
    }

    boolean toRun() {
        return verdict == null && twin == null;
    }

    /** Null if it runs unguarded. */
    @Nullable IdempotencyContext context() {
        return operation == null ? null : operation.context();
    }

    /** What was granted; null if it runs unguarded. */
    @Nullable RunningOperation operation() {
        return operation;
    }

    DeliveryDecision verdict() {
        return twin == null ? Objects.requireNonNull(verdict, "The batch has not run yet") : followed(twin.verdict());
    }

    private static DeliveryDecision followed(DeliveryDecision earlier) {
        if (earlier instanceof DeliveryDecision.Ran) {
            return new DeliveryDecision.Duplicate();
        }
        return earlier;
    }
}
