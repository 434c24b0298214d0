package io.idem.http.internal.servlet;

import org.springframework.web.filter.OncePerRequestFilter;

/** A filter that also runs in asynchronous and error dispatches. */
abstract class EveryDispatchFilter extends OncePerRequestFilter {

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
}
