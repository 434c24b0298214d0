package io.idem.consumer.internal.batch;

import io.idem.FailurePolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Failures of the latest attempts at the messages of one batch listener. Every attempt at a message is a delivery of
 * its own, and the one that finds the attempts used up runs nothing, so its dead letter takes the reason from here. In
 * memory, of the last {@value #KEPT} messages. Thread-safe.
 */
final class LastFailures {

    private static final int KEPT = 1_000;

    private final Map<IdempotencyKey, Failure> failures = Collections.synchronizedMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<IdempotencyKey, Failure> eldest) {
            return size() > KEPT;
        }
    });

    void note(IdempotencyContext attempt, Throwable failure) {
        if (!FailurePolicy.isNotNow(failure)) {
            failures.put(attempt.key(), new Failure(attempt.attempt(), DeliveryDecision.DeadLetter.reason(failure)));
        }
    }

    /** Returns the last failure; empty if another process made the last attempt, or too long ago. */
    Optional<String> of(IdempotencyKey key, int attempts) {
        Failure failure = failures.remove(key);
        return failure == null || failure.attempt() != attempts ? Optional.empty() : Optional.of(failure.reason());
    }

    private record Failure(int attempt, String reason) {}
}
