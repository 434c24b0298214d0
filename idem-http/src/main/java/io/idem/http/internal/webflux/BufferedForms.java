package io.idem.http.internal.webflux;

import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.i18n.FixedLocaleContextResolver;

/** Parses the form or the parts of a body that was read; the wrapped exchange would parse the body that is already consumed. */
final class BufferedForms extends DefaultServerWebExchange {

    BufferedForms(ServerWebExchange exchange, ServerHttpRequest request, ServerCodecConfigurer codecs) {
        super(
                request,
                exchange.getResponse(),
                ignored -> exchange.getSession(),
                codecs,
                new FixedLocaleContextResolver());
    }
}
