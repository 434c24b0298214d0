package io.idem.http.internal.webflux;

import io.idem.http.internal.admission.ReceivedBody;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * A form that another filter has read, for example to find a hidden method or a CSRF token: its bytes are gone, but the exchange has the
 * fields.
 */
final class EarlierForm {

    private EarlierForm() {}

    /** Returns whether a body cannot be read because it was read before. On Netty such a body is empty instead. */
    static boolean explains(Throwable failure) {
        return failure instanceof IllegalStateException && !(failure instanceof DataBufferLimitException);
    }

    /**
     * Returns the body of a form whose bytes were read before, or that is empty.
     *
     * @param token name of a field that is not fingerprinted, if there is one
     */
    static Mono<ReactiveRequestBody> of(ServerWebExchange exchange, Optional<String> token) {
        return exchange.getFormData()
                .onErrorResume(EarlierForm::explains, nobodyReadIt -> Mono.empty())
                .defaultIfEmpty(new LinkedMultiValueMap<>())
                .map(form -> read(exchange, form, token));
    }

    private static ReactiveRequestBody read(
            ServerWebExchange exchange, MultiValueMap<String, String> form, Optional<String> token) {
        if (form.isEmpty()) {
            TakenBodies.requireNone(exchange);
            return ReactiveRequestBody.of(ReceivedBody.of(new byte[0]));
        }
        Map<String, List<String>> counting = new HashMap<>(form);
        token.ifPresent(counting::remove);
        return new ReactiveRequestBody(ReceivedBody.ofForm(counting), Optional.of(form));
    }
}
