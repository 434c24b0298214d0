package io.idem.http.internal.webflux;

import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.i18n.FixedLocaleContextResolver;

/** The form or the parts of a body that was read: the exchange underneath would look for them where nothing is left. */
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
