package io.idem.http.internal.servlet;

import io.idem.WorkResult;
import io.idem.http.HeaderPolicy;
import io.idem.http.StoredResponse;
import io.idem.http.internal.admission.Answers;
import io.idem.http.internal.admission.ExchangeSettler;
import io.idem.http.internal.admission.HandlerRun;
import io.idem.internal.DaemonThreads;
import io.idem.spi.Stages;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Settles a granted request by its answer and then, always in this order, sends the answer that the outcome allows. */
record ServletExchangeSettler(HeaderPolicy headers, Answers answers, ExchangeSettler settler) {

    private static final Logger LOG = LoggerFactory.getLogger(ServletExchangeSettler.class);

    /** Far longer than a container needs to begin an error page after it has reported the end of its request. */
    private static final Duration PAGE_BEGINS_WITHIN = Duration.ofSeconds(1);

    /** How long a page may take before the answer is recorded without it. */
    private static final Duration PAGE_ENDS_WITHIN = Duration.ofSeconds(5);

    /** Settles a request whose handler returned and whose asynchronous work, if any, has ended. */
    void returned(ServletExchange exchange, HttpServletRequest request) throws IOException {
        if (exchange.response().errorSent()
                && storable(exchange)
                && !exchange.handler().answerFailed()
                && !exchange.errorPageDue()) {
            exchange.awaitErrorPage(request.getAttribute(AsyncContext.ASYNC_REQUEST_URI) != null);
        } else if (exchange.handler().claimSettlement()) {
            settle(exchange, request);
        }
    }

    /** Returns whether the present answer is the work's and the route's policy stores answers of its status. */
    private static boolean storable(ServletExchange exchange) {
        return exchange.handler().stores(exchange.response().getStatus());
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
        HandlerRun handler = exchange.handler();
        if (!handler.claimSettlement()) {
            return false;
        }
        CapturedServletResponse response = exchange.response();
        Optional<StoredResponse> instead = response.isCommitted()
                ? Optional.empty()
                : answers.failed(failure, handler.options(), IncomingServletRequest.of(request));
        if (!response.clientGone()) {
            handler.failed();
        }
        record(exchange, response.clientGone(), failure.getClass().getName());
        if (instead.isPresent()) {
            ServletAnswerWriter.write(instead.get(), response.retract());
        }
        return instead.isPresent();
    }

    /**
     * Settles a request at its end, unless it is settled already. Tomcat reports the end of a dispatched request before it renders the error
     * page, which is awaited therefore, and once more behind the page.
     */
    void ended(ServletExchange exchange) {
        if (!exchange.handler().settled() && exchange.endsEarly()) {
            CapturedServletResponse withoutPage = exchange.response();
            StoredResponse answer = withoutPage.capture(headers);
            DaemonThreads.after(PAGE_BEGINS_WITHIN).execute(() -> {
                if (exchange.response() == withoutPage) {
                    settleWithoutPage(exchange, answer);
                }
            });
            // The end of a page that is asynchronous itself is not always reported.
            DaemonThreads.after(PAGE_ENDS_WITHIN).execute(() -> settleWithoutPage(exchange, answer));
        } else if (exchange.handler().claimSettlement()) {
            boolean answered = exchange.response().passing() || exchange.errorPageDue();
            if (!answered) {
                exchange.handler().answerLost();
            }
            record(exchange, answered, status(exchange));
        }
    }

    private void settleWithoutPage(ServletExchange exchange, StoredResponse answer) {
        if (exchange.handler().claimSettlement()) {
            var unused = settler.settle(exchange.operation(), exchange.handler().result(answer));
        }
    }

    /**
     * Records the answer, or releases the key. The exception that the handler has thrown stays the one that is thrown.
     *
     * @param answered whether there is an answer that may be recorded
     */
    private void record(ServletExchange exchange, boolean answered, String why) {
        boolean done = exchange.handler().answerFailed() || (answered && storable(exchange));
        Stages.join(settler.settle(
                exchange.operation(),
                done ? result(exchange) : exchange.handler().release(why)));
    }

    private void settle(ServletExchange exchange, HttpServletRequest request) throws IOException {
        CapturedServletResponse response = exchange.response();
        exchange.handler().answered(response.getStatus());
        boolean withoutPage = response.errorSent() && !exchange.handler().answerFailed();
        Optional<StoredResponse> instead = Stages.join(settler.settle(
                exchange.operation(),
                withoutPage ? exchange.handler().release(status(exchange)) : result(exchange),
                response::passing,
                IncomingServletRequest.of(request)));
        if (instead.isPresent()) {
            ServletAnswerWriter.write(instead.get(), response.retract());
        } else {
            response.sendHeld();
        }
    }

    private WorkResult<HandlerRun> result(ServletExchange exchange) {
        return exchange.handler().result(exchange.response().capture(headers));
    }

    private static String status(ServletExchange exchange) {
        return "status " + exchange.response().getStatus();
    }
}
