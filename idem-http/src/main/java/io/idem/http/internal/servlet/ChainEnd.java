package io.idem.http.internal.servlet;

import io.idem.RecordId;
import io.idem.http.RouteOptions;
import io.idem.http.internal.admission.HandlerRun;
import io.idem.http.internal.admission.ObservedRequest;
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
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Notes that a granted request has reached a servlet. Belongs at the end of the filter chain, mapped to the dispatcher type REQUEST. A
 * dispatcher servlet is no handler: {@link HandlerCalls} notes the calls of its handlers. Thread-safe.
 */
public final class ChainEnd extends OncePerRequestFilter implements Ordered {

    /** The class of Jersey's filter, which answers in place of a servlet, wherever it stands in the chain. */
    private static final String JERSEY = "org.glassfish.jersey.servlet.ServletContainer";

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

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        handlerOf(request).filter(handler -> !dispatches(request)).ifPresent(HandlerRun::called);
        chain.doFilter(request, response);
    }

    /** Returns whether the target of a request is a dispatcher servlet; the target is not known in {@code MockMvc}, which has only such. */
    private static boolean dispatches(HttpServletRequest request) {
        ServletRegistration target = request.getServletContext()
                .getServletRegistration(request.getHttpServletMapping().getServletName());
        if (target == null || target.getClassName().equals(DispatcherServlet.class.getName())) {
            return true;
        }
        ClassLoader loader = request.getServletContext().getClassLoader();
        return ClassUtils.isPresent(target.getClassName(), loader)
                && DispatcherServlet.class.isAssignableFrom(ClassUtils.resolveClassName(target.getClassName(), loader));
    }
}
