package io.idem.http.internal.webflux;

import io.idem.http.Header;
import io.idem.http.StoredResponse;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** Writes answers that are known as a whole. */
final class ReactiveAnswerWriter {

    private ReactiveAnswerWriter() {}

    /** Writes an answer to an uncommitted response; its headers replace those of the same names. */
    static Mono<Void> write(StoredResponse answer, ServerHttpResponse response) {
        return Mono.defer(() -> {
            response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
            Set<String> set = new HashSet<>();
            for (Header header : answer.headers()) {
                if (set.add(header.name().toLowerCase(Locale.ROOT))) {
                    response.getHeaders().set(header.name(), header.value());
                } else {
                    response.getHeaders().add(header.name(), header.value());
                }
            }
            return write(answer.body(), response);
        });
    }

    static Mono<Void> write(byte[] body, ServerHttpResponse response) {
        if (body.length == 0) {
            return response.setComplete();
        }
        if (!response.getHeaders().containsHeader(HttpHeaders.CONTENT_LENGTH)) {
            response.getHeaders().setContentLength(body.length);
        }
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
