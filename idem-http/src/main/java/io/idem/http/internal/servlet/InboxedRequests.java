package io.idem.http.internal.servlet;

import io.idem.Operation;
import io.idem.Outbox;
import io.idem.Outcome;
import io.idem.Outcome.Obstacle;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.http.HeaderPolicy;
import io.idem.http.Refusal;
import io.idem.http.RouteOptions;
import io.idem.http.StoredResponse;
import io.idem.http.internal.admission.NotRunRefusals;
import io.idem.http.internal.admission.ObservedRequest;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Runs requests inside a transaction of the inbox, on the thread that they came on. Their answers are sent after the commit, and kept in
 * the row: what was answered was committed. Thread-safe.
 */
final class InboxedRequests {

    private final Optional<Outbox> outbox;
    private final WaitingExecutor executor;
    private final HeaderPolicy headers;
    private final ServletNotRunAnswers answers;

    InboxedRequests(
            Optional<Outbox> outbox, WaitingExecutor executor, HeaderPolicy headers, ServletNotRunAnswers answers) {
        this.outbox = outbox;
        this.executor = executor;
        this.headers = headers;
        this.answers = answers;
    }

    /** Runs the rest of the chain, or answers in its place. */
    void run(Entry.Admitted admitted, RouteOptions options, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        InboxedWork work =
                new InboxedWork(admitted.request(), response, options, headers, answers::ours, chain::doFilter);
        try {
            Optional<StoredResponse> instead = instead(admitted, options, work);
            if (instead.isPresent()) {
                ServletAnswerWriter.write(instead.get(), response);
            } else {
                work.response().sendHeld();
            }
        } catch (ServletException | IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new ServletException(failure);
        }
    }

    /** The same for a function, whose answer is written inside the transaction too. */
    ServerResponse call(
            Entry.Admitted admitted, RouteOptions options, HttpServletResponse response, InboxedWork.Handling function)
            throws Exception {
        InboxedWork work = new InboxedWork(admitted.request(), response, options, headers, answers::ours, function);
        Optional<StoredResponse> instead = instead(admitted, options, work);
        return instead.<ServerResponse>map(ReplacementResponse::new).orElseGet(() -> new HeldResponse(work.response()));
    }

    /** What is answered in place of what the handler answered; throws what the handler threw. */
    private Optional<StoredResponse> instead(Entry.Admitted admitted, RouteOptions options, InboxedWork work)
            throws Exception {
        Operation operation = admitted.operation();
        HttpServletRequest request = admitted.request();
        try {
            Outcome<InboxedWork> outcome = executor.execute(
                    operation.withInbox(outbox().inbox(options.scope())), options.waitFor(), work, work::started);
            return instead(outcome, request, options, work);
        } catch (StoreUnavailableException silent) {
            return refused(NotRunRefusals.unavailable(silent), request, work);
        } catch (UnreadableRecordException unreadable) {
            return refused(NotRunRefusals.unreadable(unreadable), request, work);
        } catch (Exception failure) {
            work.retract();
            throw failure;
        }
    }

    private Outbox outbox() {
        return outbox.orElseThrow(() ->
                new IllegalStateException("A route asks for an inbox, and its filter was made without an outbox"));
    }

    private Optional<StoredResponse> instead(
            Outcome<InboxedWork> outcome, HttpServletRequest request, RouteOptions options, InboxedWork work)
            throws Exception {
        if (outcome instanceof Outcome.NotRun<InboxedWork> notRun) {
            work.retract();
            return Optional.of(answers.answer(notRun, request));
        }
        if (outcome instanceof Outcome.Superseded<InboxedWork> superseded) {
            work.retract();
            return Optional.of(answers.replay(superseded.stored(), request));
        }
        if (outcome instanceof Outcome.Unrecorded<InboxedWork> open && open.why() instanceof Obstacle.Unconfirmed) {
            return refused(NotRunRefusals.unrecorded(options.policy().lease()), request, work);
        }
        ended(request, outcome instanceof Outcome.Released<InboxedWork>);
        work.rethrow();
        return Optional.empty();
    }

    private Optional<StoredResponse> refused(Refusal refusal, HttpServletRequest request, InboxedWork work) {
        work.retract();
        return Optional.of(answers.refuse(refusal, request));
    }

    private static void ended(HttpServletRequest request, boolean released) {
        Reception.observed(request)
                .ifPresent(seen -> seen.ended(released ? ObservedRequest.RELEASED : ObservedRequest.EXECUTED));
    }
}
