package io.idem.http.internal.servlet;

import io.idem.IdempotencyException;
import io.idem.Outcome;
import io.idem.Outcome.Obstacle;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.http.HeaderPolicy;
import io.idem.http.Refusal;
import io.idem.http.StoredResponse;
import io.idem.http.StoredResponseCodec;
import io.idem.http.internal.admission.NotRunRefusals;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Settles a granted request by its answer, then gives the answer that the settlement allows. In this order, always. */
final class ServletExchangeSettler {

    private static final Logger LOG = LoggerFactory.getLogger(ServletExchangeSettler.class);

    private final HeaderPolicy headers;
    private final ServletNotRunAnswers answers;

    ServletExchangeSettler(HeaderPolicy headers, ServletNotRunAnswers answers) {
        this.headers = headers;
        this.answers = answers;
    }

    /** The handler returned and nothing runs asynchronously any more. */
    void returned(ServletExchange exchange, HttpServletRequest request) throws IOException {
        if (exchange.response().errorSent() && exchange.storable() && !exchange.errorPageDue()) {
            exchange.awaitErrorPage();
        } else if (exchange.claimSettlement()) {
            settle(exchange, request);
        }
    }

    /** The work called {@code complete()}: no dispatch follows. */
    void completed(ServletExchange exchange, HttpServletRequest request) {
        try {
            returned(exchange, request);
        } catch (IOException clientGone) {
            LOG.debug("The client went away before its answer; a replay will give it", clientGone);
        }
    }

    /** The handler threw: the key is free again, unless all that failed was writing to a client that went away. */
    void failed(ServletExchange exchange) {
        if (exchange.claimSettlement()) {
            CapturedServletResponse response = exchange.response();
            if (response.clientGone() && exchange.storable()) {
                record(exchange);
            } else {
                release(exchange);
            }
        }
    }

    /** The container is done with the request; settles what nothing else has settled. */
    void ended(ServletExchange exchange) {
        if (exchange.claimSettlement()) {
            boolean answered = exchange.response().passing() || exchange.errorPageDue();
            if (answered && exchange.storable()) {
                record(exchange);
            } else {
                release(exchange);
            }
        }
    }

    private void record(ServletExchange exchange) {
        try {
            if (exchange.operation().settle(complete(exchange))
                    instanceof Outcome.Unrecorded<ServletExchange> unrecorded) {
                notRecorded(unrecorded.why());
            }
        } catch (IdempotencyException unsettled) {
            notRecorded(unsettled);
        }
        exchange.ended(true);
    }

    private static void notRecorded(Object why) {
        LOG.warn("An answer that the client has was not recorded ({}); a retry runs the request again", why);
    }

    private void release(ServletExchange exchange) {
        var unused = givenBack(exchange);
        exchange.ended(false);
    }

    private void settle(ServletExchange exchange, HttpServletRequest request) throws IOException {
        boolean stored = exchange.storable() && !exchange.response().errorSent();
        try {
            answer(exchange, stored ? exchange.operation().settle(complete(exchange)) : givenBack(exchange), request);
        } catch (IdempotencyException unsettled) {
            replace(exchange, request, NotRunRefusals.unreadable(unsettled));
        }
        exchange.ended(stored);
    }

    private WorkResult<ServletExchange> complete(ServletExchange exchange) {
        StoredResponse response = exchange.response().capture(headers);
        return new WorkResult.Complete<>(
                exchange, StoredResponseCodec.encode(response), StoredResponseCodec.encode(response.shortened()));
    }

    /** After a timeout the work may still be running: then the key is left to its lease, and the next attempt is a takeover. */
    private static Outcome<ServletExchange> givenBack(ServletExchange exchange) {
        if (exchange.timedOut()) {
            exchange.operation().leave();
            return new Outcome.Released<>(exchange);
        }
        return exchange.operation().settle(new WorkResult.Release<>(exchange, Duration.ZERO));
    }

    private void answer(ServletExchange exchange, Outcome<ServletExchange> outcome, HttpServletRequest request)
            throws IOException {
        if (outcome instanceof Outcome.Superseded<ServletExchange> superseded) {
            replay(exchange, request, superseded.stored());
        } else if (outcome instanceof Outcome.Unrecorded<ServletExchange> unrecorded) {
            answerUnrecorded(exchange, unrecorded, request);
        } else {
            exchange.response().sendHeld();
        }
    }

    /**
     * The request took effect, the record does not say so. Never a failure of the request: the key is not given back. On a hand-off
     * route the message is durable, so the answer holds. Elsewhere recording is tried once more; a record that was lost is
     * restored that way, but what it said in between is unknown, so the client is sent to fetch the answer by a retry.
     */
    private void answerUnrecorded(
            ServletExchange exchange, Outcome.Unrecorded<ServletExchange> unrecorded, HttpServletRequest request)
            throws IOException {
        boolean silent = unrecorded.why() instanceof Obstacle.StoreSilent;
        if (silent && exchange.options().handOff()) {
            exchange.response().sendHeld();
            return;
        }
        Outcome<ServletExchange> again = unrecorded.why() instanceof Obstacle.Unconfirmed
                ? unrecorded
                : unrecorded.again().get();
        if (again instanceof Outcome.Superseded<ServletExchange> superseded) {
            replay(exchange, request, superseded.stored());
        } else if (silent && again instanceof Outcome.Executed<ServletExchange>) {
            exchange.response().sendHeld();
        } else {
            replace(exchange, request, unrecorded(exchange, again));
        }
    }

    private static Refusal unrecorded(ServletExchange exchange, Outcome<ServletExchange> outcome) {
        Duration pause = outcome instanceof Outcome.Unrecorded<ServletExchange>
                ? exchange.options().policy().lease()
                : Duration.ZERO;
        return NotRunRefusals.unrecorded(pause);
    }

    private void replay(ServletExchange exchange, HttpServletRequest request, StoredResult stored) throws IOException {
        if (!exchange.response().passing()) {
            answers.replay(stored, request, exchange.response().retract());
        }
    }

    private void replace(ServletExchange exchange, HttpServletRequest request, Refusal refusal) throws IOException {
        LOG.warn("{}; answered {}", refusal.problem().title(), refusal.problem().status());
        if (!exchange.response().passing()) {
            HttpServletResponse response = exchange.response().retract();
            answers.refuse(refusal, request, response);
        }
    }
}
