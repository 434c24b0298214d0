package io.idem.http.internal.servlet;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/** A filter that also runs in asynchronous and error dispatches, and in a forward of a request that it has left alone. */
public abstract class EveryDispatchFilter extends OncePerRequestFilter {

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    /**
     * The idempotency filter settles a request by its error page. A request that an exception handler forwards may be protected, and
     * Spring has noted its exception like that of an error page.
     */
    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }

    /** Leaves a request alone until it is forwarded: the route that it reaches then may concern this filter. */
    protected final void leave(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        request.removeAttribute(getAlreadyFilteredAttributeName());
        chain.doFilter(request, response);
    }
}
