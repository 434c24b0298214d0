package io.idem.gateway.internal.intake;

import io.idem.gateway.AwaitedOutcome;
import io.idem.http.HttpProblem;
import io.idem.http.OperationStatus;
import io.idem.http.Problem;
import io.idem.http.Refusal;
import io.idem.http.internal.servlet.Refusals;
import io.idem.http.outcome.OutcomeSnapshot;
import io.idem.http.outcome.OutcomeSnapshot.Finding;
import io.idem.http.outcome.WaitPreference;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

/**
 * Answers requests at the end of their wait: 200 with the operation's status if the consumers have completed it, 409 if
 * one has rejected it, and else the intake's own answer. Thread-safe.
 *
 * @param json writes the status
 */
public record AsyncAnswers(JsonMapper json, Refusals refusals) {

    private static final long GRACE_MILLIS = 30_000;

    /** Releases the request's thread, and answers on another thread of the container. */
    void answerAsync(
            HttpServletRequest request,
            HeldAnswer held,
            AwaitedOutcome route,
            Duration wait,
            CompletableFuture<OutcomeSnapshot> outcome) {
        held.client().setHeader(WaitPreference.APPLIED, WaitPreference.applied(wait));
        AsyncContext async = request.startAsync(request, held.client());
        async.setTimeout(wait.toMillis() + GRACE_MILLIS);
        AsyncExchange exchange = new AsyncExchange(async);
        async.addListener(exchange);
        var unused = outcome.thenAcceptBoth(
                AsyncAnswerFilter.left(request),
                (snapshot, left) -> exchange.end(() -> answer(request, held, route, snapshot)));
    }

    private void answer(HttpServletRequest request, HeldAnswer held, AwaitedOutcome route, OutcomeSnapshot snapshot)
            throws IOException {
        if (snapshot.finding() == Finding.COMPLETED && snapshot.status().isPresent()) {
            write(snapshot.status().get(), held.client());
        } else if (snapshot.finding() == Finding.REJECTED) {
            refusals.write(rejected(route), request, held.client());
        } else {
            held.send();
        }
    }

    private void write(OperationStatus status, HttpServletResponse response) throws IOException {
        byte[] body = json.writeValueAsBytes(status);
        response.setStatus(HttpServletResponse.SC_OK);
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private static Refusal rejected(AwaitedOutcome route) {
        Problem problem = route.retriesReopen() ? GatewayProblem.OPERATION_REJECTED : HttpProblem.REJECTED;
        return Refusal.of(
                problem,
                route.retriesReopen()
                        ? "A consumer has rejected the operation. A retry with the same key lets it try again."
                        : "A consumer has rejected the operation. It is not tried again under this key.");
    }
}
