package io.idem.http.webflux;

import io.idem.http.ReceivedBody;
import java.util.Optional;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * A form that a filter before us read, as those do that look for hidden methods or for tokens against forged requests: its bytes are gone,
 * the exchange has what was made of them.
 */
final class EarlierForm {

    private EarlierForm() {}

    /** Whether a body cannot be read because somebody did so before. Netty shows an empty body instead. */
    static boolean explains(Throwable failure) {
        return failure instanceof IllegalStateException && !(failure instanceof DataBufferLimitException);
    }

    /** What a form is that has no bytes, or not any more. */
    static Mono<RequestBody> of(ServerWebExchange exchange) {
        return exchange.getFormData()
                .onErrorResume(EarlierForm::explains, nobodyReadIt -> Mono.empty())
                .defaultIfEmpty(new LinkedMultiValueMap<>())
                .map(EarlierForm::read);
    }

    private static RequestBody read(MultiValueMap<String, String> form) {
        return form.isEmpty()
                ? RequestBody.Read.of(ReceivedBody.of(new byte[0]))
                : new RequestBody.Read(ReceivedBody.ofForm(form), Optional.of(form));
    }
}
