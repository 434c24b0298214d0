package io.idem.http.internal.servlet;

import io.idem.IdempotencyException;
import io.idem.Outcome;
import io.idem.WorkResult;
import io.idem.http.HeaderPolicy;
import io.idem.http.StoredResponse;
import io.idem.http.internal.admission.AnswerDecision;
import io.idem.http.internal.admission.AnswerDecision.Instead;
import io.idem.http.internal.admission.AnswerDecisions;
import io.idem.http.internal.admission.Answers;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Settles a granted request by its answer and then, always in this order, sends the answer that the outcome allows. */
final class ServletExchangeSettler {

    private static final Logger LOG = LoggerFactory.getLogger(ServletExchangeSettler.class);

    private final HeaderPolicy headers;
    private final Answers answers;

    ServletExchangeSettler(HeaderPolicy headers, Answers answers) {
        this.headers = headers;
        this.answers = answers;
    }

    /** Settles a request whose handler returned and whose asynchronous work, if any, has ended. */
    void returned(ServletExchange exchange, HttpServletRequest request) throws IOException {
        if (exchange.response().errorSent()
                && exchange.storable()
                && !exchange.handler().answerFailed()
                && !exchange.errorPageDue()) {
            exchange.awaitErrorPage();
        } else if (exchange.claimSettlement()) {
            settle(exchange, request);
        }
    }

    /** Settles a request whose asynchronous work called {@code complete()}, so that no dispatch follows. */
    void completed(ServletExchange exchange, HttpServletRequest request) {
        try {
            returned(exchange, request);
        } catch (IOException clientGone) {
            LOG.debug(
                    "The client of {} went away before its answer; a replay will give it",
                    exchange.operation().context().record(),
                    clientGone);
        }
    }

    /**
     * Settles a request whose handler threw. The key is released, unless only the writing to a client that went away failed.
     *
     * @return whether the client is answered; if not, the application answers the failure
     */
    boolean failed(ServletExchange exchange, Throwable failure, HttpServletRequest request) throws IOException {
        if (!exchange.claimSettlement()) {
            return false;
        }
        CapturedServletResponse response = exchange.response();
        Optional<StoredResponse> instead = response.isCommitted()
                ? Optional.empty()
                : AnswerDecisions.failed(failure, exchange.options())
                        .map(decision -> answers.answer(decision, IncomingServletRequest.of(request)));
        if (!response.clientGone()) {
            exchange.handler().failed(failure);
        }
        if (exchange.handler().answerFailed() || (response.clientGone() && exchange.storable())) {
            record(exchange);
        } else {
            release(exchange, failure.getClass().getName());
        }
        if (instead.isPresent()) {
            ServletAnswerWriter.write(instead.get(), response.retract());
        }
        return instead.isPresent();
    }

    /** Settles a request at its end, unless it is settled already. */
    void ended(ServletExchange exchange) {
        if (exchange.claimSettlement()) {
            boolean answered = exchange.response().passing() || exchange.errorPageDue();
            if (exchange.handler().answerFailed() || (answered && exchange.storable())) {
                record(exchange);
            } else {
                release(exchange, status(exchange));
            }
        }
    }

    private void record(ServletExchange exchange) {
        try {
            if (exchange.operation().settle(result(exchange))
                    instanceof Outcome.Unrecorded<ServletExchange> unrecorded) {
                answers.notRecorded(exchange.operation(), unrecorded.why());
            }
        } catch (IdempotencyException unsettled) {
            answers.notRecorded(exchange.operation(), unsettled);
        }
        exchange.ended(true);
    }

    /** Releases the key. Never fails, so that an exception of the handler stays the one that is thrown. */
    private void release(ServletExchange exchange, String why) {
        try {
            var unused = released(exchange, why);
        } catch (IdempotencyException unsettled) {
            answers.notReleased(exchange.operation(), unsettled);
        }
        exchange.ended(false);
    }

    private void settle(ServletExchange exchange, HttpServletRequest request) throws IOException {
        WorkResult<ServletExchange> result = result(exchange);
        boolean stored = result instanceof WorkResult.Complete<ServletExchange>
                && (exchange.handler().answerFailed()
                        || (exchange.storable() && !exchange.response().errorSent()));
        try {
            Outcome<ServletExchange> outcome =
                    stored ? exchange.operation().settle(result) : released(exchange, status(exchange));
            stored &= !(outcome instanceof Outcome.Released<ServletExchange>);
            carryOut(decision(exchange, outcome), exchange, request);
        } catch (IdempotencyException unsettled) {
            replace(exchange, () -> answers.unsettled(unsettled, IncomingServletRequest.of(request)));
        }
        exchange.ended(stored);
    }

    private static AnswerDecision decision(ServletExchange exchange, Outcome<ServletExchange> outcome) {
        AnswerDecision decision = AnswerDecisions.after(outcome, exchange.options());
        return decision instanceof AnswerDecision.RecordAgain first
                ? AnswerDecisions.afterAgain(
                        first.unrecorded(), first.unrecorded().again().get(), exchange.options())
                : decision;
    }

    private void carryOut(AnswerDecision decision, ServletExchange exchange, HttpServletRequest request)
            throws IOException {
        if (decision instanceof Instead instead) {
            replace(exchange, () -> answers.answer(instead, IncomingServletRequest.of(request)));
        } else {
            exchange.response().sendHeld();
        }
    }

    private static void replace(ServletExchange exchange, Supplier<StoredResponse> answer) throws IOException {
        if (!exchange.response().passing()) {
            ServletAnswerWriter.write(answer.get(), exchange.response().retract());
        }
    }

    private WorkResult<ServletExchange> result(ServletExchange exchange) {
        return exchange.handler()
                .result(
                        exchange,
                        exchange.kept(exchange.response().capture(headers)),
                        exchange.options(),
                        exchange.operation().context().record());
    }

    /**
     * Releases the key. After a timeout the work may still be running, and a handler that threw after a commit has had an effect: then the
     * lease expires, and the next attempt is a takeover.
     */
    private static Outcome<ServletExchange> released(ServletExchange exchange, String why) {
        if (exchange.timedOut() || exchange.handler().leavesUnknown()) {
            exchange.operation().leave();
            return new Outcome.Released<>(exchange, false);
        }
        return exchange.operation().settle(exchange.handler().release(exchange, why));
    }

    private static String status(ServletExchange exchange) {
        return "status " + exchange.response().getStatus();
    }
}
