package io.idem.http.internal.servlet;

import io.idem.Admission;
import io.idem.RunningOperation;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.http.IncomingRequest;
import io.idem.http.RouteOptions;
import io.idem.http.Routes;
import io.idem.http.internal.admission.Answers;
import io.idem.http.internal.admission.FilterParts;
import io.idem.http.internal.admission.HandlerRun;
import io.idem.http.internal.admission.ObservedRequest;
import io.idem.http.internal.admission.RequestAdmission;
import io.idem.http.internal.admission.RequestRefusedException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.util.WebUtils;

/**
 * Runs each request to a protected route once for its key. Belongs behind authentication and before the dispatcher servlet, mapped to
 * the dispatcher types REQUEST, FORWARD, ASYNC and ERROR. Thread-safe.
 */
public final class IdempotencyServletFilter extends EveryDispatchFilter {

    /** The order of the filter: after Spring Security (-100), before the dispatcher servlet. */
    public static final int ORDER = -50;

    /**
     * The request attribute that is set once the container's own dispatch has left this filter. A forward that comes later is that of a
     * filter in front, to an error page: so Spring Boot's ErrorPageFilter does in a WAR.
     */
    private static final String PASSED = IdempotencyServletFilter.class.getName() + ".passed";

    private final Supplier<Routes> routes;
    private final ServletRequestAdmission admission;
    private final WaitingExecutor executor;
    private final Answers answers;
    private final ServletExchangeSettler settler;
    private final InboxedRequests inboxed;

    IdempotencyServletFilter(IdempotencyFilterParts parts) {
        FilterParts common = parts.common();
        this.routes = common.routes();
        this.admission = new ServletRequestAdmission(
                common.reports(), new RequestAdmission(common), new ServletRequestBodyReader(parts.multipart()));
        this.executor = new WaitingExecutor(
                parts.executor(), common.waitingRoom(), parts.store(), new ThreadlessWaits(parts.missed()));
        this.answers = common.answers();
        this.settler = parts.settler();
        this.inboxed = new InboxedRequests(parts.outbox(), executor, common.headers(), answers);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        DispatcherType dispatch = request.getDispatcherType();
        boolean forwarded = dispatch == DispatcherType.FORWARD;
        if (dispatch == DispatcherType.ERROR
                || (forwarded
                        && request.getAttribute(PASSED) != null
                        && ServletExchange.of(request).isPresent())) {
            // A filter in front has the response with which asynchronous work was started, and nothing sends what that
            // holds.
            Optional<ServletResponse> beneath = captured(response).map(CapturedServletResponse::getResponse);
            renderErrorPage(request, (HttpServletResponse) beneath.orElse(response), chain);
            return;
        }
        request.removeAttribute(PASSED);
        try {
            if (dispatch == DispatcherType.ASYNC) {
                resume(request, response, chain);
            } else {
                doFilterRequest(request, response, chain);
            }
        } finally {
            request.setAttribute(PASSED, forwarded ? null : true);
        }
    }

    private void doFilterRequest(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<Routes.Match> route =
                routes.get().match(request.getMethod(), () -> ServletRequestPaths.within(request));
        if (route.isEmpty()) {
            leave(request, response, chain);
            return;
        }
        Optional<AdmittedRequest> admitted;
        try {
            admitted = admission.admit(request, response, route.get());
        } catch (RequestRefusedException refused) {
            ServletAnswerWriter.write(answers.refuse(refused.refusal(), IncomingServletRequest.of(request)), response);
            return;
        }
        if (admitted.isPresent()) {
            begin(admitted.get(), response, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void begin(AdmittedRequest admitted, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        RouteOptions options = admitted.options();
        RequestWait wait = executor.waitOf(admitted, response);
        if (options.inbox()) {
            inboxed.run(admitted, wait, response, chain);
            return;
        }
        Admission<HandlerRun> beginning;
        IncomingRequest seen = IncomingServletRequest.of(admitted.request());
        try {
            beginning = executor.begin(admitted, wait);
        } catch (StoreUnavailableException | UnreadableRecordException failure) {
            ServletAnswerWriter.write(answers.notRun(failure, seen), response);
            return;
        }
        if (wait.suspended()) {
            return;
        }
        if (beginning instanceof Admission.Answered<HandlerRun> answered) {
            ServletAnswerWriter.write(answers.answer(answered.outcome(), options, seen), response);
        } else if (beginning instanceof Admission.Granted<HandlerRun> granted) {
            run(granted.operation(), admitted.request(), options, response, chain);
        }
    }

    private void run(
            RunningOperation operation,
            HttpServletRequest request,
            RouteOptions options,
            HttpServletResponse response,
            FilterChain chain)
            throws ServletException, IOException {
        ServletExchange exchange;
        try {
            CapturedServletResponse captured =
                    new CapturedServletResponse(request, response, options.maxResponseBody(), answers::reserves);
            HandlerRun handler =
                    ChainEnd.awaitHandler(request, operation.context().record(), options);
            exchange = new ServletExchange(operation, captured, handler);
            exchange.bindTo(request);
        } catch (RuntimeException | Error failure) {
            operation.abandon();
            throw failure;
        }
        run(exchange, new AsyncAwareRequest(request, exchange, settler), exchange.response(), chain);
    }

    /** Begins a request that has waited, or writes the result of asynchronous work to the response with which the work was started. */
    private void resume(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<RequestWait> waited = RequestWait.of(request).filter(RequestWait::suspended);
        if (waited.isPresent()) {
            try (ResumedRequest again = waited.get().resume(request)) {
                begin(waited.get().admitted(again), response, chain);
            }
            return;
        }
        Optional<ServletExchange> exchange = ServletExchange.of(request);
        if (exchange.isEmpty() && request.getAttribute(ObservedRequest.ATTRIBUTE) == null) {
            // No route had the request before; another path may be dispatched.
            doFilterRequest(request, response, chain);
            return;
        }
        if (exchange.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        run(
                exchange.get(),
                request,
                captured(response).isEmpty() ? exchange.get().response() : response,
                chain);
    }

    private static Optional<CapturedServletResponse> captured(HttpServletResponse response) {
        return Optional.ofNullable(WebUtils.getNativeResponse(response, CapturedServletResponse.class));
    }

    private void renderErrorPage(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<ServletExchange> due = ServletExchange.of(request)
                .filter(exchange ->
                        exchange.errorPageDue() && !exchange.handler().settled());
        if (due.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        ServletExchange exchange = due.get();
        HttpServletRequest dispatched = new AsyncAwareRequest(request, exchange, settler);
        CapturedServletResponse page = exchange.response()
                .forErrorPage(dispatched, response, exchange.handler().options().maxResponseBody());
        exchange.renderInto(page);
        run(exchange, dispatched, page, chain);
    }

    private void run(
            ServletExchange exchange, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            pass(exchange, request, response, chain);
        } catch (ServletException | IOException | RuntimeException | Error failure) {
            if (!settler.failed(exchange, failure, request)) {
                throw failure;
            }
            return;
        }
        if (!request.isAsyncStarted()) {
            int status = response.getStatus();
            // A filter in front keeps an error to itself if it wraps the captured response for the dispatch.
            if (status >= 400 && status != exchange.response().getStatus()) {
                exchange.response().noteError(status);
            }
            if (WebAsyncUtils.getAsyncManager(request).hasConcurrentResult()) {
                // An interceptor answered in place of the handler, whose result was not asked for.
                exchange.handler().answerLost();
            }
            settler.returned(exchange, request);
        }
    }

    private static void pass(
            ServletExchange exchange, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            var unused = exchange.operation().<HandlerRun>call(context -> {
                chain.doFilter(request, response);
                return exchange.handler().release("");
            });
        } catch (ServletException | IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception impossible) {
            throw new ServletException(impossible);
        }
    }
}
