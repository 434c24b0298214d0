package io.idem.http.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/** Sees to it that asynchronous work answers through the captured response, and is settled when it ends. */
final class AsyncAwareRequest extends HttpServletRequestWrapper {

    private final Exchange exchange;
    private final ExchangeSettler settler;

    AsyncAwareRequest(HttpServletRequest request, Exchange exchange, ExchangeSettler settler) {
        super(request);
        this.exchange = exchange;
        this.settler = settler;
    }

    @Override
    public AsyncContext startAsync() {
        return startAsync(this, exchange.response());
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        AsyncContext started = super.startAsync(request, response);
        exchange.goAsynchronous();
        started.addListener(new AsyncEnd(exchange, settler));
        return settling(started);
    }

    @Override
    public AsyncContext getAsyncContext() {
        return settling(super.getAsyncContext());
    }

    private AsyncContext settling(AsyncContext context) {
        return new SettlingAsyncContext(context, () -> settler.completed(exchange, this));
    }
}
