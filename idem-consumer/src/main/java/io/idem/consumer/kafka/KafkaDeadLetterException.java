package io.idem.consumer.kafka;

import io.idem.IdempotencyException;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.internal.Causes;
import org.jspecify.annotations.Nullable;

/**
 * A record that its scope rejects: rejected before, its attempts used up, or its key belongs to another payload. The
 * container's own recoverer gets it at once; an error handler that retries it all the same gets it again and again, and
 * the work never runs.
 */
public final class KafkaDeadLetterException extends IdempotencyException {

    private final String record;

    public KafkaDeadLetterException(String record, DeliveryDecision.DeadLetter decision, @Nullable Throwable cause) {
        super(record + " is refused for good by scope \"" + decision.scope() + "\": " + decision.reason());
        this.record = record;
        if (cause != null) {
            initCause(cause);
        }
    }

    /** Name of the record in logs: its position, scope and the digest of its key. */
    public String record() {
        return record;
    }

    /** Returns whether a failure is such a rejection, however its container wrapped that. */
    public static boolean isCauseOf(Throwable failure) {
        return Causes.include(failure, KafkaDeadLetterException.class);
    }
}
