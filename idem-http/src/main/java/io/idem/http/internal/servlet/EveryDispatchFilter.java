package io.idem.http.internal.servlet;

import org.springframework.web.filter.OncePerRequestFilter;

/** A filter of asynchronous and error dispatches too. */
abstract class EveryDispatchFilter extends OncePerRequestFilter {

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    /** What an exception handler forwards to may be protected; Spring has noted the exception like that of an error page. */
    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }
}
