package io.idem.http.internal.servlet;

import io.idem.Admission;
import io.idem.RunningOperation;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.WorkResult;
import io.idem.http.RouteOptions;
import io.idem.http.Routes;
import io.idem.http.internal.admission.ObservedRequest;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.time.Duration;
import java.util.Optional;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * A request to a handler that may be a protected function, which is known only behind the dispatcher servlet. Until then the handler's
 * request and response are plain wrappers; when the key is granted, they wrap the buffered request and the captured response. Kept in the
 * request's attributes; for one thread.
 */
public final class FunctionalPassage {

    /** The request attribute with the options of the route by which a request was admitted. */
    static final String APPLIED = FunctionalPassage.class.getName() + ".applied";

    private static final String ATTRIBUTE = FunctionalPassage.class.getName();

    private final HttpServletRequest received;
    private final HttpServletResponse client;
    private final HttpServletRequestWrapper request;
    private final HttpServletResponseWrapper response;
    private final IdempotencyServletFilter filter;
    private final boolean decided;

    /**
     * Creates a passage and keeps it in the attributes of the request.
     *
     * @param decided whether a route of the servlet filter lets the request run unprotected
     */
    FunctionalPassage(
            HttpServletRequest received, HttpServletResponse client, IdempotencyServletFilter filter, boolean decided) {
        this.received = received;
        this.client = client;
        this.request = new HttpServletRequestWrapper(received);
        this.response = new HttpServletResponseWrapper(client);
        this.filter = filter;
        this.decided = decided;
        received.setAttribute(ATTRIBUTE, this);
    }

    public static Optional<FunctionalPassage> of(ServletRequest request) {
        return Optional.ofNullable((FunctionalPassage) request.getAttribute(ATTRIBUTE));
    }

    /** Returns the options of the route by which a request was admitted on its way to the function; empty if none was. */
    public static Optional<RouteOptions> applied(ServletRequest request) {
        return Optional.ofNullable((RouteOptions) request.getAttribute(APPLIED));
    }

    HttpServletRequest request() {
        return request;
    }

    HttpServletResponse response() {
        return response;
    }

    /** Runs the handler if its key is granted; otherwise answers in its place. */
    public ServerResponse handle(ServerRequest asked, HandlerFunction<ServerResponse> next, RouteOptions options)
            throws Exception {
        if (decided) {
            return next.handle(asked);
        }
        ServletAdmission entry = filter.admission()
                .admit(received, client, new Routes.Match(pattern(asked), asked.pathVariables(), options));
        if (entry instanceof ServletAdmission.Refused refused) {
            return KnownServerResponse.of(
                    filter.answers().refuse(refused.refusal(), IncomingServletRequest.of(received)));
        }
        if (entry instanceof ServletAdmission.Admitted admitted && options.inbox()) {
            return filter.inboxed()
                    .call(admitted, options, client, (within, captured) -> write(within, captured, asked, next));
        }
        if (entry instanceof ServletAdmission.Admitted admitted) {
            return begin(admitted, asked, next, options);
        }
        return next.handle(asked);
    }

    private void write(
            HttpServletRequest within,
            HttpServletResponse captured,
            ServerRequest asked,
            HandlerFunction<ServerResponse> next)
            throws Exception {
        request.setRequest(within);
        ModelAndView view = next.handle(asked).writeTo(within, captured, asked::messageConverters);
        if (view != null) {
            throw new IllegalStateException("A function inside a transaction of the inbox answered with the view "
                    + view.getViewName() + ", which would be rendered after the commit; answer with a body");
        }
    }

    private static String pattern(ServerRequest asked) {
        return asked.attribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE)
                .map(Object::toString)
                .orElse("function");
    }

    private ServerResponse begin(
            ServletAdmission.Admitted admitted,
            ServerRequest asked,
            HandlerFunction<ServerResponse> next,
            RouteOptions options)
            throws Exception {
        Admission<ServletExchange> beginning;
        try {
            beginning = filter.executor().begin(admitted.operation(), options);
        } catch (StoreUnavailableException | UnreadableRecordException failure) {
            return KnownServerResponse.of(filter.answers().notRun(failure, IncomingServletRequest.of(received)));
        }
        if (beginning instanceof Admission.Answered<ServletExchange> answered) {
            return KnownServerResponse.of(
                    filter.answers().answer(answered.outcome(), options, IncomingServletRequest.of(received)));
        }
        RunningOperation operation = ((Admission.Granted<ServletExchange>) beginning).operation();
        return run(operation, admitted.request(), asked, next, options);
    }

    private ServerResponse run(
            RunningOperation operation,
            HttpServletRequest buffered,
            ServerRequest asked,
            HandlerFunction<ServerResponse> next,
            RouteOptions options)
            throws Exception {
        CapturedServletResponse captured =
                new CapturedServletResponse(buffered, client, options.maxResponseBody(), filter.answers()::reserves);
        ServletExchange exchange = new ServletExchange(
                operation, options, captured, ObservedRequest.of(IncomingServletRequest.of(received)));
        exchange.bindTo(received);
        request.setRequest(new AsyncAwareRequest(buffered, exchange, filter.settler()));
        response.setResponse(captured);
        return operation
                .<ServerResponse>call(context -> new WorkResult.Release<>(next.handle(asked), Duration.ZERO))
                .value();
    }
}
