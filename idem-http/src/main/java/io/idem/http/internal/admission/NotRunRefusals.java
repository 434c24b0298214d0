package io.idem.http.internal.admission;

import io.idem.IdempotencyException;
import io.idem.Outcome;
import io.idem.StoreUnavailableException;
import io.idem.http.HttpProblem;
import io.idem.http.Refusal;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Why requests are not run, in the words that clients are told. For adapters. */
public final class NotRunRefusals {

    private static final Logger LOG = LoggerFactory.getLogger(NotRunRefusals.class);
    private static final Duration STORE_PAUSE = Duration.ofSeconds(1);

    static final Refusal NOT_KEPT = Refusal.of(
            HttpProblem.ANSWER_NOT_KEPT,
            "The operation was done and is not done again. Ask for its state in another way.");

    private NotRunRefusals() {}

    /** The store did not answer. */
    public static Refusal unavailable(StoreUnavailableException silent) {
        LOG.warn("A request was refused with 503 and not run: {}", silent.getMessage());
        return Refusal.of(HttpProblem.STORE_UNAVAILABLE, "The request was not run. Send it again with the same key.")
                .retryAfter(STORE_PAUSE);
    }

    /** The record cannot be read. */
    public static Refusal unreadable(IdempotencyException unreadable) {
        LOG.error("A request was refused with 503 and not run: {}", unreadable.getMessage());
        return Refusal.of(
                HttpProblem.RECORD_UNREADABLE,
                "The request was not run. Send it again with the same key once the operator has repaired the record.");
    }

    /** Another attempt is under way, or the next one is not due. */
    public static Refusal inProgress(Duration retryAfter) {
        return Refusal.of(
                        HttpProblem.IN_PROGRESS,
                        "The first request is still running or its next attempt is not due. Send it again with the same key"
                                + " to get its answer.")
                .retryAfter(retryAfter);
    }

    /**
     * The request took effect, and that is not recorded.
     *
     * @param pause after which a retry can get its answer
     */
    public static Refusal unrecorded(Duration pause) {
        return Refusal.of(
                        HttpProblem.OUTCOME_UNRECORDED,
                        "The request may have taken effect. Send it again with the same key to get its answer.")
                .retryAfter(pause);
    }

    /** What an outcome without an answer means. */
    static Refusal of(Outcome.NotRun<?> outcome) {
        if (outcome instanceof Outcome.InProgress<?> other) {
            return inProgress(other.retryAfter());
        }
        if (outcome instanceof Outcome.NotYet<?> notYet) {
            return inProgress(notYet.retryAfter());
        }
        if (outcome instanceof Outcome.Mismatch<?>) {
            return Refusal.of(
                    HttpProblem.KEY_REUSED,
                    "The same key was sent before with another method, path, query or body. Send a new key for a new request.");
        }
        return outcome instanceof Outcome.Rejected<?>
                ? Refusal.of(HttpProblem.REJECTED, "It will not be tried again. Send a new key for a new operation.")
                : Refusal.of(
                        HttpProblem.ATTEMPTS_EXHAUSTED,
                        "It will not be tried again until the operator reopens it. Ask the operator, or send a new key.");
    }
}
