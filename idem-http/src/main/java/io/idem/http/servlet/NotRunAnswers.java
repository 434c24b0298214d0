package io.idem.http.servlet;

import io.idem.IdempotencyException;
import io.idem.Outcome;
import io.idem.ResultCodecException;
import io.idem.StoreUnavailableException;
import io.idem.http.HttpProblem;
import io.idem.http.Refusal;
import io.idem.http.StoredResponseCodec;
import io.idem.spi.StoredResult;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers requests that were not run. */
final class NotRunAnswers {

    private static final Logger LOG = LoggerFactory.getLogger(NotRunAnswers.class);
    private static final Duration STORE_PAUSE = Duration.ofSeconds(1);

    private static final Refusal NOT_KEPT = Refusal.of(
            HttpProblem.ANSWER_NOT_KEPT,
            "The operation was done and is not done again. Ask for its state in another way.");

    private final Refusals refusals;
    private final Replays replays;

    NotRunAnswers(Refusals refusals, Replays replays) {
        this.refusals = refusals;
        this.replays = replays;
    }

    void answer(Outcome.NotRun<?> outcome, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (outcome instanceof Outcome.Replayed<?> replayed) {
            replay(replayed.result(), request, response);
        } else {
            refuse(refusal(outcome), request, response);
        }
    }

    void replay(StoredResult result, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (result.equals(StoredResult.OMITTED)) {
            refuse(NOT_KEPT, request, response);
            return;
        }
        try {
            replays.write(StoredResponseCodec.decode(result), response);
        } catch (ResultCodecException unreadable) {
            refuse(unreadable(unreadable), request, response);
        }
    }

    void refuse(Refusal refusal, HttpServletRequest request, HttpServletResponse response) throws IOException {
        refusals.write(refusal, request, response);
    }

    static Refusal unavailable(StoreUnavailableException silent) {
        LOG.warn("A request was refused with 503 and not run: {}", silent.getMessage());
        return Refusal.of(HttpProblem.STORE_UNAVAILABLE, "The request was not run. Send it again with the same key.")
                .retryAfter(STORE_PAUSE);
    }

    static Refusal unreadable(IdempotencyException unreadable) {
        LOG.error("A request was refused with 503 and not run: {}", unreadable.getMessage());
        return Refusal.of(
                HttpProblem.RECORD_UNREADABLE,
                "The request was not run. Send it again with the same key once the operator has repaired the record.");
    }

    private static Refusal refusal(Outcome.NotRun<?> outcome) {
        if (outcome instanceof Outcome.InProgress<?> busy) {
            return inProgress(busy.retryAfter());
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

    static Refusal inProgress(Duration retryAfter) {
        return Refusal.of(
                        HttpProblem.IN_PROGRESS,
                        "The first request is still running or its next attempt is not due. Send it again with the same key"
                                + " to get its answer.")
                .retryAfter(retryAfter);
    }
}
