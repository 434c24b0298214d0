package io.idem.http.internal.servlet;

import io.idem.RunningOperation;
import io.idem.http.RouteOptions;
import io.idem.http.internal.admission.ObservedRequest;
import jakarta.servlet.ServletRequest;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A request that was granted, from its grant to its settlement, across the container's dispatches. Kept in the request's attributes.
 * Several threads may see it, one after the other.
 */
public final class ServletExchange {

    private static final String ATTRIBUTE = ServletExchange.class.getName();

    private final RunningOperation operation;
    private final RouteOptions options;
    private final Optional<ObservedRequest> observed;
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
            Optional<ObservedRequest> observed) {
        this.operation = operation;
        this.options = options;
        this.response = response;
        this.observed = observed;
    }

    public static Optional<ServletExchange> of(ServletRequest request) {
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

    CapturedServletResponse response() {
        return response;
    }

    /** Whether the route's policy stores an answer with the present status, and it is one of the work. */
    boolean storable() {
        return !givenUp && options.storing().stores(response.getStatus());
    }

    /** Tells what became of it, unless an answer in its place did. */
    void ended(boolean stored) {
        observed.ifPresent(request -> request.ended(stored ? ObservedRequest.EXECUTED : ObservedRequest.RELEASED));
    }

    /** True for the one caller that is to settle. */
    boolean claimSettlement() {
        return settled.compareAndSet(false, true);
    }

    boolean settled() {
        return settled.get();
    }

    /** Notes that asynchronous work was started: its end is told by the container's listener. */
    void goAsynchronous() {
        asynchronous = true;
    }

    boolean asynchronous() {
        return asynchronous;
    }

    /** Notes that the container, or the handler's own stage, gave up waiting, although the work may still be running. */
    void timeOut() {
        timedOut = true;
    }

    boolean timedOut() {
        return timedOut;
    }

    /** Notes that the container gave up its client although the work may still be running: what is answered now says nothing of it. */
    void giveUp() {
        givenUp = true;
        timeOut();
    }

    /** Leaves the answer to the container's error page. */
    void awaitErrorPage() {
        errorPageDue = true;
    }

    /** Whether the error page is being rendered or is still to come. */
    boolean errorPageDue() {
        return errorPageDue;
    }

    /** Takes the error page's response in place of the handler's. */
    void renderInto(CapturedServletResponse errorPage) {
        response = errorPage;
    }
}
