package io.idem.http.internal.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.async.WebAsyncUtils;

/** A request whose asynchronous work answers through the captured response, and is settled when it ends. */
final class AsyncAwareRequest extends WholeAnswerRequest {

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

    /**
     * Returns null if no asynchronous work was started and the wrapped request returns null, as that of {@code MockMvc} does; a server's
     * throws.
     */
    @Override
    public @Nullable AsyncContext getAsyncContext() {
        AsyncContext context = super.getAsyncContext();
        return context == null ? null : settling(context);
    }

    private AsyncContext settling(AsyncContext context) {
        return SettlingAsyncContext.of(context, method -> {
            if (method.equals("complete")) {
                exchange.handler().returned(exchange.response().getStatus());
                settler.completed(exchange, this);
            } else if (method.equals("dispatch")) {
                HandlerCalls.noteResult(WebAsyncUtils.getAsyncManager(this), exchange.handler());
            }
        });
    }

    /** Listens for asynchronous work that ends by a timeout or with the request. */
    private record AsyncEnd(ServletExchange exchange, ServletExchangeSettler settler) implements AsyncListener {

        @Override
        public void onTimeout(AsyncEvent event) {
            exchange.handler().timeOut();
        }

        @Override
        public void onComplete(AsyncEvent event) {
            settler.ended(exchange);
        }

        /** Does nothing: an ASYNC or ERROR dispatch, or the end of the request, follows. */
        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
