package io.idem.http.internal.webflux;

import io.idem.http.StoredResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Mono;

/** Writes answers that are known as a whole. */
final class ReactiveAnswerWriter {

    private ReactiveAnswerWriter() {}

    /** Writes an answer to an uncommitted response; its headers replace those of the same names. */
    static Mono<Void> write(StoredResponse answer, ServerHttpResponse response) {
        return Mono.defer(() -> {
            response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
            HttpHeaders headers = new HttpHeaders();
            answer.headers().forEach(header -> headers.add(header.name(), header.value()));
            response.getHeaders().putAll(headers);
            return write(answer.body(), response);
        });
    }

    /** Writes a body. No length is set if there is one, or if a filter in front may change it. */
    static Mono<Void> write(byte[] body, ServerHttpResponse response) {
        if (body.length == 0) {
            return response.setComplete();
        }
        if (!(response instanceof ServerHttpResponseDecorator)
                && !response.getHeaders().containsHeader(HttpHeaders.CONTENT_LENGTH)) {
            response.getHeaders().setContentLength(body.length);
        }
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
