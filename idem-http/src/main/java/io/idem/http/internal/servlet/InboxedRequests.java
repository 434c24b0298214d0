package io.idem.http.internal.servlet;

import io.idem.Outbox;
import io.idem.Outcome;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.http.HeaderPolicy;
import io.idem.http.IncomingRequest;
import io.idem.http.RouteOptions;
import io.idem.http.StoredResponse;
import io.idem.http.internal.admission.AnswerDecision.Instead;
import io.idem.http.internal.admission.AnswerDecisions;
import io.idem.http.internal.admission.Answers;
import io.idem.http.internal.admission.ObservedRequest;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/**
 * Runs requests inside a transaction of the inbox, on the thread of the request. The answer is kept in the row and sent after the commit,
 * so every answer that was sent was committed. Thread-safe.
 */
final class InboxedRequests {

    private final Optional<Outbox> outbox;
    private final WaitingExecutor executor;
    private final HeaderPolicy headers;
    private final Answers answers;

    InboxedRequests(Optional<Outbox> outbox, WaitingExecutor executor, HeaderPolicy headers, Answers answers) {
        this.outbox = outbox;
        this.executor = executor;
        this.headers = headers;
        this.answers = answers;
    }

    /** Runs the rest of the filter chain, or answers in its place. */
    void run(ServletAdmission.Admitted admitted, RequestWait wait, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        InboxedWork work = new InboxedWork(admitted, response, headers, answers::reserves, chain);
        try {
            Optional<StoredResponse> instead = instead(admitted, wait, work);
            if (instead.isPresent()) {
                ServletAnswerWriter.write(instead.get(), response);
            } else if (!wait.suspended()) {
                work.response().sendHeld();
            }
        } catch (ServletException | IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new ServletException(failure);
        }
    }

    /** Returns the answer in place of the handler's, if there is one; throws the exception of the handler. */
    private Optional<StoredResponse> instead(ServletAdmission.Admitted admitted, RequestWait wait, InboxedWork work)
            throws Exception {
        RouteOptions options = admitted.options();
        IncomingRequest request = IncomingServletRequest.of(admitted.request());
        Outcome<InboxedWork> outcome;
        try {
            outcome = executor.execute(
                    admitted.operation().withInbox(outbox().inbox(options.scope())), wait, work, work::started);
        } catch (StoreUnavailableException | UnreadableRecordException failure) {
            work.retract();
            return Optional.of(answers.notRun(failure, request));
        } catch (Exception failure) {
            work.retract();
            throw failure;
        }
        if (wait.suspended()) {
            return Optional.empty();
        }
        if (AnswerDecisions.after(outcome, options) instanceof Instead decision) {
            work.retract();
            return Optional.of(answers.answer(decision, request));
        }
        boolean released = outcome instanceof Outcome.Released<InboxedWork>;
        ObservedRequest.of(request)
                .ifPresent(seen -> seen.ended(released ? ObservedRequest.RELEASED : ObservedRequest.EXECUTED));
        work.rethrow();
        return Optional.empty();
    }

    private Outbox outbox() {
        return outbox.orElseThrow(
                () -> new IllegalStateException("A route has an inbox, but its filter was created without an outbox"));
    }
}
