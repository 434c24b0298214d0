package io.idem.http.internal.servlet;

import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;

/**
 * Settles requests at their end that no dispatch settled, for example an error answer for which the application has no error page.
 * Otherwise the key of such a request would stay in progress for as long as its lease is renewed.
 */
public record ExchangeEnd(ServletExchangeSettler settler) implements ServletRequestListener {

    @Override
    public void requestDestroyed(ServletRequestEvent event) {
        ServletExchange.of(event.getServletRequest())
                .filter(exchange -> !exchange.asynchronous())
                .ifPresent(settler::ended);
    }
}
