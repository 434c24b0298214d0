package io.idem.http.internal.admission;

import io.idem.FailurePolicy;
import io.idem.IdempotencyException;
import io.idem.LeaseLostException;
import io.idem.Outcome;
import io.idem.Outcome.Obstacle;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.http.HttpProblem;
import io.idem.http.Refusal;
import io.idem.http.RouteOptions;
import io.idem.http.StoredResponse;
import io.idem.http.StoredResponseCodec;
import io.idem.http.internal.admission.AnswerDecision.Instead;
import io.idem.http.internal.admission.AnswerDecision.RecordAgain;
import io.idem.http.internal.admission.AnswerDecision.Refuse;
import io.idem.http.internal.admission.AnswerDecision.Replay;
import io.idem.http.internal.admission.AnswerDecision.SendHeld;
import io.idem.internal.Causes;
import io.idem.step.StepException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Decides on the answer to a client by the outcome of its key. Pure functions, the same for servlets and WebFlux. */
public final class AnswerDecisions {

    private static final Duration STORE_PAUSE = Duration.ofSeconds(1);

    /** The answer to a sender whose event was handled and has no answer that is kept. It would repeat the event after anything but 2xx. */
    private static final StoredResult DONE = StoredResponseCodec.encode(StoredResponse.of(200, List.of(), new byte[0]));

    private AnswerDecisions() {}

    /** Decides on a request whose handler was not called. */
    public static Instead of(Outcome.NotRun<?> outcome, RouteOptions options) {
        return (Instead) after(outcome, options);
    }

    /** Decides on a request whose handler was not called because the store did not answer or its record is unreadable. */
    public static Instead notRun(IdempotencyException failure) {
        return failure instanceof StoreUnavailableException
                ? new Refuse(Refusal.of(
                                HttpProblem.STORE_UNAVAILABLE,
                                "The request was not run. Send it again with the same key.")
                        .retryAfter(STORE_PAUSE))
                : refuse(
                        HttpProblem.RECORD_UNREADABLE,
                        "The request was not run. Send it again with the same key once the operator has repaired the record.");
    }

    /** Decides on a request whose handler was called and whose record became unreadable. */
    public static Instead unsettled() {
        return refuse(
                HttpProblem.RECORD_UNREADABLE,
                "The request may have taken effect. Send it again with the same key once the operator has repaired the record.");
    }

    /** Decides on a request whose handler failed; empty if the application answers the failure. */
    public static Optional<Instead> failed(Throwable failure, RouteOptions options) {
        return leaseLost(failure)
                ? Optional.of(inProgress(
                        Duration.ZERO,
                        options,
                        "The request lost its key to another one while it ran, and may have taken effect."))
                : FailurePolicy.causes(failure)
                        .filter(StepException.class::isInstance)
                        .flatMap(ended -> endedByStep((StepException) ended, options).stream())
                        .findFirst();
    }

    /** Decides on a request that one of its steps has ended; empty if the step has only failed. */
    private static Optional<Instead> endedByStep(StepException step, RouteOptions options) {
        return switch (step.problem()) {
            case REJECTED, RESULT_NOT_KEPT, UNFIT -> Optional.of(rejected());
            case UNDECIDED ->
                Optional.of(inProgress(
                        Duration.ZERO, options, "It is not known yet whether a step of the request was done."));
            case TOO_MANY, UNREADABLE -> Optional.empty();
        };
    }

    private static Instead rejected() {
        return refuse(HttpProblem.REJECTED, "It will not be tried again. Send a new key for a new operation.");
    }

    /** Returns whether a failure, or one of its causes, is a lost lease. */
    public static boolean leaseLost(Throwable failure) {
        return Causes.include(failure, LeaseLostException.class);
    }

    /** Decides on a request by its outcome, usually after its handler was called. */
    public static AnswerDecision after(Outcome<?> outcome, RouteOptions options) {
        return switch (outcome.end()) {
            case EXECUTED, RELEASED, REJECTED_NOW -> new SendHeld();
            case SUPERSEDED -> replay(((Outcome.Superseded<?>) outcome).stored(), options);
            case UNRECORDED -> unrecorded((Outcome.Unrecorded<?>) outcome, options);
            case REPLAYED -> replay(((Outcome.Replayed<?>) outcome).result(), options);
            case IN_PROGRESS ->
                inProgress(
                        ((Outcome.InProgress<?>) outcome).retryAfter(),
                        options,
                        "The first request is still running, or its process ended a moment ago.");
            case NOT_YET ->
                inProgress(
                        ((Outcome.NotYet<?>) outcome).retryAfter(),
                        options,
                        "The request has failed, and its next attempt is not due.");
            case MISMATCH ->
                refuse(
                        HttpProblem.KEY_REUSED,
                        "The same key was sent before with another method, path, query or body. Send a new key for a new request.");
            case REJECTED -> rejected();
            case EXHAUSTED ->
                refuse(
                        HttpProblem.ATTEMPTS_EXHAUSTED,
                        "It will not be tried again until the operator reopens it. Ask the operator, or send a new key.");
        };
    }

    /**
     * Decides on a request after the second try to record its outcome. A lost record is restored then, but the state of the key in between
     * is unknown, so the client must get the answer by a retry. If the store only did not answer the first time, the handler's answer is
     * still valid.
     *
     * @param first the outcome of the first try
     * @param again the outcome of the second try
     */
    public static AnswerDecision afterAgain(Outcome.Unrecorded<?> first, Outcome<?> again, RouteOptions options) {
        if (again instanceof Outcome.Superseded<?> superseded) {
            return replay(superseded.stored(), options);
        }
        if (again instanceof Outcome.Executed<?> && silent(first.why())) {
            return new SendHeld();
        }
        return unrecorded(
                again instanceof Outcome.Unrecorded<?> ? options.policy().lease() : Duration.ZERO);
    }

    private static Instead replay(StoredResult stored, RouteOptions options) {
        if (!stored.equals(StoredResult.OMITTED) && !stored.equals(StoredResult.NONE)) {
            return new Replay(stored, options.maxResponseBody());
        }
        return delivered(options)
                ? new Replay(DONE, options.maxResponseBody())
                : refuse(
                        HttpProblem.ANSWER_NOT_KEPT,
                        "The operation was done and is not done again. Ask for its state in another way.");
    }

    /** Returns whether requests are deliveries of events, whose sender repeats them until it gets 2xx and may take 4xx for final. */
    private static boolean delivered(RouteOptions options) {
        return options.keySource().isPresent();
    }

    private static Instead inProgress(Duration retryAfter, RouteOptions options, String why) {
        HttpProblem running =
                options.inProgressStatus() == 503 ? HttpProblem.IN_PROGRESS_AS_503 : HttpProblem.IN_PROGRESS;
        return new Refuse(Refusal.of(
                        delivered(options) ? HttpProblem.DELIVERY_IN_PROGRESS : running,
                        why + " Send it again with the same key to get its answer.")
                .retryAfter(retryAfter));
    }

    /** Returns the refusal of a request that took effect without being recorded; a retry can get its answer after the pause. */
    private static Instead unrecorded(Duration pause) {
        return new Refuse(Refusal.of(
                        HttpProblem.OUTCOME_UNRECORDED,
                        "The request may have taken effect. Send it again with the same key to get its answer.")
                .retryAfter(pause));
    }

    private static Refuse refuse(HttpProblem problem, String detail) {
        return new Refuse(Refusal.of(problem, detail));
    }

    /**
     * Decides on a request whose effect is not recorded; its key is never released. The handler's answer is sent if it was committed with
     * the row of an inbox, and on a hand-off route whose store does not answer, because the message is durable. Otherwise recording is
     * tried once more.
     */
    private static AnswerDecision unrecorded(Outcome.Unrecorded<?> outcome, RouteOptions options) {
        if (outcome.why() instanceof Obstacle.Unconfirmed) {
            return unrecorded(options.policy().lease());
        }
        boolean durable = options.inbox() || (options.handOff() && silent(outcome.why()));
        return durable ? new SendHeld() : new RecordAgain(outcome);
    }

    private static boolean silent(Obstacle why) {
        return why instanceof Obstacle.StoreSilent;
    }
}
