package io.idem.http.internal.servlet;

import io.idem.Inbox;
import io.idem.Outbox;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.http.HeaderPolicy;
import io.idem.http.IncomingRequest;
import io.idem.http.RouteOptions;
import io.idem.http.StoredResponse;
import io.idem.http.internal.admission.AnswerDecision.Instead;
import io.idem.http.internal.admission.AnswerDecisions;
import io.idem.http.internal.admission.Answers;
import io.idem.http.internal.admission.HandlerRun;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/**
 * Runs requests inside a transaction of the inbox, on the thread of the request. The answer is kept in the row and sent after the commit,
 * so every answer that was sent was committed. Thread-safe.
 */
record InboxedRequests(Optional<Outbox> outbox, WaitingExecutor executor, HeaderPolicy headers, Answers answers) {

    /** Runs the rest of the filter chain, or answers in its place. */
    void run(AdmittedRequest admitted, RequestWait wait, HttpServletResponse response, FilterChain chain)
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
    private Optional<StoredResponse> instead(AdmittedRequest admitted, RequestWait wait, InboxedWork work)
            throws Exception {
        RouteOptions options = admitted.options();
        IncomingRequest request = IncomingServletRequest.of(admitted.request());
        Outcome<HandlerRun> outcome;
        try {
            outcome =
                    executor.execute(admitted.operation().withInbox(inbox(options.scope())), wait, work, work::started);
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
        work.handler().ended(!(outcome instanceof Outcome.Released<HandlerRun>));
        work.rethrow();
        return Optional.empty();
    }

    private Inbox inbox(Scope scope) {
        return outbox.map(known -> known.inbox(scope))
                .orElseThrow(() -> new IllegalStateException(
                        "A route has an inbox, but its filter was created without an outbox"));
    }
}
