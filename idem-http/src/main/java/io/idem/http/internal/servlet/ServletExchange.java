package io.idem.http.internal.servlet;

import io.idem.RunningOperation;
import io.idem.http.internal.admission.HandlerRun;
import jakarta.servlet.ServletRequest;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A request whose key was granted, until it is settled, across the dispatches of the container. Kept in the request's attributes. Used by
 * several threads, one after the other.
 */
final class ServletExchange {

    private static final String ATTRIBUTE = ServletExchange.class.getName();

    private final RunningOperation operation;
    private final HandlerRun handler;
    private volatile CapturedServletResponse response;
    private volatile boolean asynchronous;
    private volatile boolean errorPageDue;
    private final AtomicBoolean endMayBeEarly = new AtomicBoolean();

    ServletExchange(RunningOperation operation, CapturedServletResponse response, HandlerRun handler) {
        this.operation = operation;
        this.response = response;
        this.handler = handler;
    }

    /** Returns the exchange of a request, if its key was granted. */
    static Optional<ServletExchange> of(ServletRequest request) {
        return Optional.ofNullable((ServletExchange) request.getAttribute(ATTRIBUTE));
    }

    void bindTo(ServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    RunningOperation operation() {
        return operation;
    }

    HandlerRun handler() {
        return handler;
    }

    CapturedServletResponse response() {
        return response;
    }

    /** Notes that asynchronous work was started, whose end the container's listener reports. */
    void goAsynchronous() {
        asynchronous = true;
    }

    boolean asynchronous() {
        return asynchronous;
    }

    /**
     * Leaves the answer to the container's error page.
     *
     * @param endMayBeEarly whether the container may report the end of the request before it renders the page
     */
    void awaitErrorPage(boolean endMayBeEarly) {
        errorPageDue = true;
        this.endMayBeEarly.set(endMayBeEarly);
    }

    /** Returns whether the end that is reported may come before the error page; of several ends, only the first may. */
    boolean endsEarly() {
        return endMayBeEarly.getAndSet(false);
    }

    /** Returns whether the answer is the error page, rendered or not. */
    boolean errorPageDue() {
        return errorPageDue;
    }

    /** Uses the error page's response in place of the handler's. */
    void renderInto(CapturedServletResponse errorPage) {
        response = errorPage;
    }
}
