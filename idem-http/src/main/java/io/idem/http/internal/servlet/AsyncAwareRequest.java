package io.idem.http.internal.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

/** Sees to it that asynchronous work answers through the captured response, and is settled when it ends. */
final class AsyncAwareRequest extends HttpServletRequestWrapper {

    private final ServletExchange exchange;
    private final ServletExchangeSettler settler;

    AsyncAwareRequest(HttpServletRequest request, ServletExchange exchange, ServletExchangeSettler settler) {
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

    /** Null where nothing was started, if the request below says so: a server's throws, that of {@code MockMvc} does not. */
    @Override
    public @Nullable AsyncContext getAsyncContext() {
        AsyncContext context = super.getAsyncContext();
        return context == null ? null : settling(context);
    }

    private AsyncContext settling(AsyncContext context) {
        return new SettlingAsyncContext(context, () -> settler.completed(exchange, this));
    }

    /** Learns how asynchronous work ended when it did not end by itself. */
    private static final class AsyncEnd implements AsyncListener {

        private final ServletExchange exchange;
        private final ServletExchangeSettler settler;

        AsyncEnd(ServletExchange exchange, ServletExchangeSettler settler) {
            this.exchange = exchange;
            this.settler = settler;
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            exchange.timeOut();
        }

        @Override
        public void onComplete(AsyncEvent event) {
            settler.ended(exchange);
        }

        /** An ASYNC or ERROR dispatch, or the end, follows. */
        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
