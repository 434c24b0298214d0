package io.idem.consumer.internal.batch;

import io.idem.FailurePolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How the latest attempts at the messages of one batch listener failed. Every attempt at them is a delivery of its own, and the
 * one that finds the attempts used up runs nothing: without this its dead letter could not say what went wrong. In memory,
 * of the last {@value #KEPT} messages. Thread-safe.
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
            failures.put(attempt.key(), new Failure(attempt.attempt(), FailurePolicy.reason(failure)));
        }
    }

    /** Empty if the last attempt was somebody else's, or too long ago. */
    Optional<String> of(IdempotencyKey key, int attempts) {
        Failure failure = failures.remove(key);
        return failure == null || failure.attempt() != attempts ? Optional.empty() : Optional.of(failure.reason());
    }

    private record Failure(int attempt, String reason) {}
}
