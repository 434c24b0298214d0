package io.idem.http.internal.servlet;

import io.idem.RunningOperation;
import io.idem.http.RouteOptions;
import io.idem.http.StoredResponse;
import io.idem.http.internal.admission.HandlerRun;
import io.idem.http.internal.admission.ObservedRequest;
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
    private final RouteOptions options;
    private final Optional<ObservedRequest> observed;
    private final HandlerRun handler;
    private final AtomicBoolean settled = new AtomicBoolean();
    private volatile CapturedServletResponse response;
    private volatile boolean asynchronous;
    private volatile boolean timedOut;
    private volatile boolean givenUp;
    private volatile boolean errorPageDue;

    ServletExchange(
            RunningOperation operation,
            RouteOptions options,
            CapturedServletResponse response,
            HandlerRun handler,
            Optional<ObservedRequest> observed) {
        this.operation = operation;
        this.options = options;
        this.response = response;
        this.handler = handler;
        this.observed = observed;
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

    RouteOptions options() {
        return options;
    }

    HandlerRun handler() {
        return handler;
    }

    CapturedServletResponse response() {
        return response;
    }

    /** Returns whether the present answer is the work's and the route's policy stores answers of its status. */
    boolean storable() {
        return !givenUp && handler.stores(response.getStatus(), options);
    }

    /** Returns an answer as it is stored. */
    StoredResponse kept(StoredResponse answer) {
        return observed.map(request -> request.kept(answer)).orElse(answer);
    }

    /** Reports the outcome, unless an answer in its place has reported another. */
    void ended(boolean stored) {
        observed.ifPresent(request -> request.ended(stored ? ObservedRequest.EXECUTED : ObservedRequest.RELEASED));
    }

    /** Returns true for the first caller, which must settle the request. */
    boolean claimSettlement() {
        return settled.compareAndSet(false, true);
    }

    boolean settled() {
        return settled.get();
    }

    /** Notes that asynchronous work was started, whose end the container's listener reports. */
    void goAsynchronous() {
        asynchronous = true;
    }

    boolean asynchronous() {
        return asynchronous;
    }

    /** Notes that the container, or the handler's own stage, timed out, although the work may still be running. */
    void timeOut() {
        timedOut = true;
    }

    boolean timedOut() {
        return timedOut;
    }

    /** Notes that the container gave up the client, although the work may still be running: the present answer is not the work's. */
    void giveUp() {
        givenUp = true;
        timeOut();
    }

    /** Leaves the answer to the container's error page. */
    void awaitErrorPage() {
        errorPageDue = true;
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
