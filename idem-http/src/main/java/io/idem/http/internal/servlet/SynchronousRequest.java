package io.idem.http.internal.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/** A request inside a transaction, which belongs to one thread. */
final class SynchronousRequest extends HttpServletRequestWrapper {

    SynchronousRequest(HttpServletRequest request) {
        super(request);
    }

    @Override
    public AsyncContext startAsync() {
        throw refused();
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        throw refused();
    }

    private IllegalStateException refused() {
        return new IllegalStateException(getMethod() + " " + getRequestURI()
                + " runs inside a transaction of the inbox, which belongs to one thread, and its handler began asynchronous work;"
                + " do the work before the handler returns, or take inbox from the route");
    }
}
