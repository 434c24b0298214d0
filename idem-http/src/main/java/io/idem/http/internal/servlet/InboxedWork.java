package io.idem.http.internal.servlet;

import io.idem.IdempotencyContext;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.http.HeaderPolicy;
import io.idem.http.RouteOptions;
import io.idem.http.StoredResponse;
import io.idem.http.StoredResponseCodec;
import io.idem.http.internal.admission.AnswerDecisions;
import io.idem.http.internal.admission.ObservedRequest;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The work of a request inside a transaction. The transaction commits if the handler gave an answer that the route stores. Any other
 * answer, and an exception of the handler, even if it was turned into an answer, roll it back and release the key. Used once, by one
 * thread.
 */
public final class InboxedWork implements Work<InboxedWork> {

    private static final String ATTRIBUTE = InboxedWork.class.getName();

    private final SynchronousRequest request;
    private final CapturedServletResponse response;
    private final RouteOptions options;
    private final HeaderPolicy headers;
    private final Handling handling;
    private boolean started;
    private boolean handlerFailed;
    private @Nullable Exception failure;

    InboxedWork(
            ServletAdmission.Admitted admitted,
            HttpServletResponse response,
            HeaderPolicy headers,
            Predicate<String> reserved,
            Handling handling) {
        this.request = new SynchronousRequest(admitted.request());
        this.options = admitted.options();
        this.response =
                CapturedServletResponse.untilCommit(this.request, response, options.maxResponseBody(), reserved);
        this.headers = headers;
        this.handling = handling;
    }

    /** Returns the work of a request, if an inbox protects it. */
    static Optional<InboxedWork> of(ServletRequest request) {
        return Optional.ofNullable((InboxedWork) request.getAttribute(ATTRIBUTE));
    }

    /** Notes that the handler threw, even if its exception is turned into an answer. */
    static void handlerFailed(ServletRequest request) {
        of(request).ifPresent(work -> work.handlerFailed = true);
    }

    @Override
    public WorkResult<InboxedWork> run(IdempotencyContext context) throws Exception {
        started = true;
        request.setAttribute(ATTRIBUTE, this);
        try {
            handling.handle(request, response);
        } catch (Exception thrown) {
            if (AnswerDecisions.leaseLost(thrown)) {
                throw thrown;
            }
            failure = thrown;
        }
        return commits() ? complete() : new WorkResult.Release<>(this, Duration.ZERO, why());
    }

    private String why() {
        return failure == null
                ? "status " + response.getStatus()
                : failure.getClass().getName();
    }

    private boolean commits() {
        return failure == null
                && !handlerFailed
                && !response.errorSent()
                && options.storing().stores(response.getStatus());
    }

    private WorkResult<InboxedWork> complete() {
        StoredResponse captured = response.capture(headers);
        StoredResponse answer = ObservedRequest.of(IncomingServletRequest.of(request))
                .map(seen -> seen.kept(captured))
                .orElse(captured);
        return new WorkResult.Complete<>(
                this, StoredResponseCodec.encode(answer), StoredResponseCodec.encode(answer.shortened()));
    }

    /** Returns whether the handler was called. */
    boolean started() {
        return started;
    }

    CapturedServletResponse response() {
        return response;
    }

    /** Retracts the answer of the handler, if there is one. */
    void retract() {
        if (started) {
            var unused = response.retract();
        }
    }

    /** Throws the exception of the handler, if there is one, after its answer was retracted. */
    void rethrow() throws Exception {
        if (failure != null) {
            retract();
            throw failure;
        }
    }

    /** The handler, or the part of the filter chain in front of it. */
    @FunctionalInterface
    interface Handling {
        void handle(HttpServletRequest request, HttpServletResponse response) throws Exception;
    }

    /** A request inside a transaction, which belongs to one thread: asynchronous work is refused. */
    private static final class SynchronousRequest extends HttpServletRequestWrapper {

        SynchronousRequest(HttpServletRequest request) {
            super(request);
        }

        @Override
        public AsyncContext startAsync() {
            throw refused();
        }

        @Override
        public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
            throw refused();
        }

        private IllegalStateException refused() {
            return new IllegalStateException(getMethod() + " " + getRequestURI()
                    + " runs inside a transaction of the inbox, which belongs to one thread, and its handler began asynchronous work;"
                    + " do the work before the handler returns, or take inbox from the route");
        }
    }
}
