package io.idem.http.internal.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Learns how asynchronous work ended when it did not end by itself. */
final class AsyncEnd implements AsyncListener {

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
