package io.idem.http.internal.servlet;

import io.idem.RecordId;
import io.idem.http.RouteOptions;
import io.idem.http.internal.admission.HandlerRun;
import io.idem.http.internal.admission.ObservedRequest;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Notes that a granted request has reached a servlet. Belongs at the end of the filter chain, mapped to the dispatcher types REQUEST,
 * FORWARD and ASYNC. A dispatcher servlet is no handler: {@link HandlerCalls} notes the calls of its handlers. Nor is the container's
 * default servlet. Thread-safe.
 */
public final class ChainEnd extends EveryDispatchFilter implements Ordered {

    /** The class of Jersey's filter, which answers in place of a servlet, wherever it stands in the chain. */
    private static final String JERSEY = "org.glassfish.jersey.servlet.ServletContainer";

    /** The request attribute that tells the dispatch that reached a servlet through the chain. */
    private static final String DISPATCH = ChainEnd.class.getName() + ".dispatch";

    /** Begins to wait for the handler of a granted request. */
    static HandlerRun awaitHandler(HttpServletRequest request, RecordId record, RouteOptions options) {
        HandlerRun handler = new HandlerRun(record, options, ObservedRequest.of(IncomingServletRequest.of(request)));
        boolean jersey = request.getServletContext().getFilterRegistrations().values().stream()
                .map(FilterRegistration::getClassName)
                .anyMatch(JERSEY::equals);
        if (jersey) {
            handler.called();
        }
        request.setAttribute(HandlerRun.ATTRIBUTE, handler);
        return handler;
    }

    static Optional<HandlerRun> handlerOf(ServletRequest request) {
        return Optional.ofNullable((HandlerRun) request.getAttribute(HandlerRun.ATTRIBUTE));
    }

    /**
     * Returns the run of a dispatch that may call the handler. A page for an error does not, nor does what a dispatcher servlet forwards to,
     * or includes: that belongs to the answer of its handler or of an interceptor.
     */
    static Optional<HandlerRun> awaitedIn(HttpServletRequest request) {
        DispatcherType type = request.getDispatcherType();
        return handlerOf(request)
                .filter(handler -> type == DispatcherType.REQUEST
                        || type == DispatcherType.ASYNC
                        || (type + request.getRequestURI()).equals(request.getAttribute(DISPATCH)));
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return ServletExchange.of(request).filter(ServletExchange::errorPageDue).isPresent();
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        request.setAttribute(DISPATCH, request.getDispatcherType() + request.getRequestURI());
        Optional<HandlerRun> handler = handlerOf(request);
        // A request without one may be forwarded to a protected route.
        handler.ifPresentOrElse(HandlerRun::reached, () -> request.removeAttribute(getAlreadyFilteredAttributeName()));
        boolean goesOn = request.getDispatcherType() == DispatcherType.ASYNC
                && handler.filter(HandlerRun::wasCalled).isPresent();
        Optional<HandlerRun> servlet = handler.filter(target -> !goesOn && !isNoHandler(request));
        servlet.ifPresent(HandlerRun::called);
        try {
            chain.doFilter(request, response);
        } catch (ServletException | IOException | RuntimeException | Error failure) {
            servlet.ifPresent(HandlerRun::threw);
            throw failure;
        }
        servlet.filter(ended -> !request.isAsyncStarted()).ifPresent(ended -> ended.returned(response.getStatus()));
    }

    /** Returns whether the target of a request is no handler; it is not known in {@code MockMvc}, which has only dispatcher servlets. */
    private static boolean isNoHandler(HttpServletRequest request) {
        ServletRegistration target = request.getServletContext()
                .getServletRegistration(request.getHttpServletMapping().getServletName());
        if (target == null
                || target.getClassName().equals(DispatcherServlet.class.getName())
                || (target.getName().equals("default") && target.getClassName().endsWith(".DefaultServlet"))) {
            return true;
        }
        ClassLoader loader = request.getServletContext().getClassLoader();
        return ClassUtils.isPresent(target.getClassName(), loader)
                && DispatcherServlet.class.isAssignableFrom(ClassUtils.resolveClassName(target.getClassName(), loader));
    }
}
