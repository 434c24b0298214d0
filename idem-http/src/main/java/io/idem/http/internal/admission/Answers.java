package io.idem.http.internal.admission;

import io.idem.IdempotencyException;
import io.idem.Outcome;
import io.idem.ResultCodecException;
import io.idem.RunningOperation;
import io.idem.StoreUnavailableException;
import io.idem.http.Header;
import io.idem.http.HttpProblem;
import io.idem.http.IncomingRequest;
import io.idem.http.Refusal;
import io.idem.http.RouteOptions;
import io.idem.http.StoredResponse;
import io.idem.http.StoredResponseCodec;
import io.idem.http.internal.admission.AnswerDecision.Instead;
import io.idem.http.internal.admission.AnswerDecision.Refuse;
import io.idem.http.internal.admission.AnswerDecision.Replay;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Makes the answers that clients get in place of a handler's. For adapters. Thread-safe.
 *
 * @param marker header that marks replays
 */
public record Answers(RefusalRenderer refusals, ReplayMarker marker) {

    /** The header of a replay whose first answer had a body that is not kept. */
    public static final String BODY_OMITTED = "Idempotency-Body-Omitted";

    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

    /** Headers that would be wrong without the body. */
    private static final Set<String> OF_BODY = Set.of("content-type", "content-encoding", "content-range");

    /** Returns whether only the filter may set a header of this name, not a handler. */
    public boolean reserves(String name) {
        return name.equalsIgnoreCase(marker.name()) || name.equalsIgnoreCase(BODY_OMITTED);
    }

    /** Returns the answer to a request whose handler was not called. */
    public StoredResponse answer(Outcome.NotRun<?> outcome, RouteOptions options, IncomingRequest request) {
        return answer(AnswerDecisions.of(outcome, options), request);
    }

    /** Returns the answer to a request whose handler failed; empty if the application answers the failure. */
    public Optional<StoredResponse> failed(Throwable failure, RouteOptions options, IncomingRequest request) {
        return AnswerDecisions.failed(failure, options).map(decision -> answer(decision, request));
    }

    /** Returns the answer of a decision. A replay is marked; it becomes a refusal if the stored answer cannot be read. */
    public StoredResponse answer(Instead decision, IncomingRequest request) {
        return decision instanceof Replay replay
                ? replay(replay, request)
                : warned(((Refuse) decision).refusal(), request);
    }

    /** Returns the answer to a request that was not run because the store did not answer or its record is unreadable. */
    public StoredResponse notRun(IdempotencyException failure, IncomingRequest request) {
        LOG.atLevel(failure instanceof StoreUnavailableException ? Level.WARN : Level.ERROR)
                .log("{} was refused with 503 and not run: {}", ObservedRequest.named(request), failure.getMessage());
        return answer(AnswerDecisions.notRun(failure), request);
    }

    /** Returns the answer to a request that was run and whose record became unreadable. */
    StoredResponse unsettled(IdempotencyException failure, IncomingRequest request) {
        LOG.error("{} was run and refused with 503: {}", ObservedRequest.named(request), failure.getMessage());
        return answer(AnswerDecisions.unsettled(), request);
    }

    /** Logs that the answer of a request was sent and could not be recorded. */
    void notRecorded(RunningOperation operation, Object why) {
        LOG.warn(
                "The answer of {} was sent to its client and could not be recorded ({}); a retry runs the request again",
                operation.context().record(),
                why);
    }

    /** Logs that the key of a request could not be released. */
    void notReleased(RunningOperation operation, IdempotencyException why) {
        LOG.warn(
                "{} could not be released ({}); its lease expires",
                operation.context().record(),
                why.getMessage());
    }

    private StoredResponse replay(Replay decision, IncomingRequest request) {
        try {
            StoredResponse stored = StoredResponseCodec.decode(decision.stored());
            StoredResponse replay = marked(ContentCodings.accepted(stored, request, decision.limit()));
            ObservedRequest.of(request).ifPresent(observed -> observed.replayed(stored));
            LOG.debug("{} is a duplicate and does not run", ObservedRequest.named(request));
            return replay;
        } catch (ResultCodecException unreadable) {
            return notRun(unreadable, request);
        }
    }

    private StoredResponse warned(Refusal refusal, IncomingRequest request) {
        LOG.atLevel(refusal.problem() == HttpProblem.OUTCOME_UNRECORDED ? Level.WARN : Level.DEBUG)
                .log(
                        "{} is answered with {}: {}",
                        ObservedRequest.named(request),
                        refusal.problem().status(),
                        refusal.problem().title());
        return refuse(refusal, request);
    }

    /** Returns the answer to a request that is refused before its key is taken. */
    public StoredResponse refuse(Refusal refusal, IncomingRequest request) {
        ObservedRequest.of(request)
                .ifPresent(observed -> observed.ended(refusal.problem().slug()));
        return refusals.render(refusal, request);
    }

    private StoredResponse marked(StoredResponse stored) {
        List<Header> headers = new ArrayList<>();
        stored.headers().stream()
                .filter(header -> !reserves(header.name()) && (!stored.bodyOmitted() || !ofBody(header)))
                .forEach(headers::add);
        headers.add(new Header(marker.name(), ReplayMarker.VALUE));
        if (stored.bodyOmitted()) {
            headers.add(new Header(BODY_OMITTED, "true"));
        }
        return stored.with(headers);
    }

    private static boolean ofBody(Header header) {
        return OF_BODY.contains(header.name().toLowerCase(Locale.ROOT));
    }
}
