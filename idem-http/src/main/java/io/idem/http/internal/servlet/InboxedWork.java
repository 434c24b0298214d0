package io.idem.http.internal.servlet;

import io.idem.IdempotencyContext;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.http.HeaderPolicy;
import io.idem.http.internal.admission.AnswerDecisions;
import io.idem.http.internal.admission.HandlerRun;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The work of a request inside a transaction. The transaction commits if the handler gave an answer that the route stores. Any other
 * answer, and an exception of the handler, even if it was turned into an answer, roll it back and release the key. Used once, by one
 * thread.
 */
final class InboxedWork implements Work<HandlerRun> {

    private static final String ATTRIBUTE = InboxedWork.class.getName();

    private final SynchronousRequest request;
    private final CapturedServletResponse response;
    private final HeaderPolicy headers;
    private final FilterChain chain;
    private final HandlerRun handler;
    private boolean started;
    private @Nullable Exception failure;

    InboxedWork(
            AdmittedRequest admitted,
            HttpServletResponse response,
            HeaderPolicy headers,
            Predicate<String> reserved,
            FilterChain chain) {
        this.request = new SynchronousRequest(admitted.request());
        this.response = CapturedServletResponse.untilCommit(
                this.request, response, admitted.options().maxResponseBody(), reserved);
        this.headers = headers;
        this.chain = chain;
        this.handler =
                ChainEnd.awaitHandler(admitted.request(), admitted.operation().record(), admitted.options());
    }

    /** Returns the work of a request, if an inbox protects it. */
    static Optional<InboxedWork> of(ServletRequest request) {
        return Optional.ofNullable((InboxedWork) request.getAttribute(ATTRIBUTE));
    }

    @Override
    public WorkResult<HandlerRun> run(IdempotencyContext context) throws Exception {
        started = true;
        request.setAttribute(ATTRIBUTE, this);
        try {
            chain.doFilter(request, response);
        } catch (Exception thrown) {
            if (AnswerDecisions.leaseLost(thrown)) {
                throw thrown;
            }
            failure = thrown;
        }
        if (failure != null) {
            return handler.release(failure.getClass().getName());
        }
        if (handler.hasThrown() || handler.answerFailed() || response.errorSent()) {
            return handler.release("status " + response.getStatus());
        }
        return handler.result(response.capture(headers));
    }

    /** Returns whether the handler was called. */
    boolean started() {
        return started;
    }

    HandlerRun handler() {
        return handler;
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

    /** A request inside a transaction, which belongs to one thread: asynchronous work is refused. */
    private static final class SynchronousRequest extends WholeAnswerRequest {

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
