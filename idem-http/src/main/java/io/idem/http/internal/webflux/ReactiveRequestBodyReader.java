package io.idem.http.internal.webflux;

import io.idem.http.internal.admission.BodyRefusals;
import io.idem.http.internal.admission.FormFields;
import io.idem.http.internal.admission.ReceivedBody;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.springframework.core.codec.DecodingException;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Reads bodies up to a limit. Multipart bodies are fingerprinted part by part, so a retry may have another boundary. */
record ReactiveRequestBodyReader(ServerCodecConfigurer codecs) {

    /** The largest number of parts, more than any upload has; a part takes many times the memory of its bytes. */
    private static final int MOST_PARTS = 1_000;

    /** Reads the body of a request; fails if the client goes away meanwhile, or with a {@link RequestRefusedException}. */
    Mono<ReactiveRequestBody> read(ServerWebExchange exchange, int limit) {
        ServerHttpRequest request = exchange.getRequest();
        if (request.getHeaders().getContentLength() > limit) {
            return Mono.error(BodyRefusals.tooLarge(limit));
        }
        return DataBufferUtils.join(WholeBody.of(request), limit)
                .map(ReactiveRequestBodyReader::bytes)
                .onErrorResume(
                        failure -> EarlierForm.explains(failure) && isForm(contentType(request)),
                        readBefore -> Mono.empty())
                .defaultIfEmpty(new byte[0])
                .flatMap(bytes -> received(exchange, bytes))
                .onErrorMap(DataBufferLimitException.class, larger -> BodyRefusals.tooLarge(limit));
    }

    private static byte[] bytes(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }

    private Mono<ReactiveRequestBody> received(ServerWebExchange exchange, byte[] bytes) {
        Optional<MediaType> type = contentType(exchange.getRequest());
        if (type.filter(range -> !range.isConcrete()).isPresent()) {
            return Mono.error(BodyRefusals.ofManyTypes());
        }
        if (isForm(type)) {
            return form(exchange, bytes, type.orElseThrow());
        }
        if (bytes.length == 0) {
            TakenBodies.requireNone(exchange);
        }
        return type.filter(MediaType.MULTIPART_FORM_DATA::equalsTypeAndSubtype)
                .map(known -> multipart(exchange, bytes, known))
                .orElseGet(() -> Mono.just(ReactiveRequestBody.of(ReceivedBody.of(bytes))));
    }

    private static boolean isForm(Optional<MediaType> type) {
        return type.filter(MediaType.APPLICATION_FORM_URLENCODED::equalsTypeAndSubtype)
                .isPresent();
    }

    private static Mono<ReactiveRequestBody> form(ServerWebExchange exchange, byte[] bytes, MediaType type) {
        if (bytes.length > 0 && !wellFormed(bytes, type)) {
            return Mono.error(BodyRefusals.malformedForm());
        }
        return ReactiveCsrfParameter.of(exchange)
                .flatMap(token -> bytes.length == 0
                        ? EarlierForm.of(exchange, token)
                        : Mono.just(ReactiveRequestBody.of(ReceivedBody.of(
                                bytes,
                                List.of(token.map(name -> FormFields.without(bytes, name))
                                        .orElse(bytes))))));
    }

    /**
     * Parses a multipart body once before the key is taken, so that a body which the handler could not read does not count as an attempt.
     */
    private Mono<ReactiveRequestBody> multipart(ServerWebExchange exchange, byte[] bytes, MediaType type) {
        String boundary = type.getParameter("boundary");
        if (boundary == null) {
            return Mono.error(BodyRefusals.unreadable("The Content-Type of the multipart body names no boundary."));
        }
        MultipartSegments segments = MultipartSegments.of(bytes, boundary);
        if (segments.parts() > MOST_PARTS) {
            return Mono.error(BodyRefusals.tooManyParts(MOST_PARTS));
        }
        if (segments.haveNameless()) {
            return Mono.just(ReactiveRequestBody.of(ReceivedBody.of(bytes)));
        }
        BufferedForms forms =
                new BufferedForms(exchange, new BufferedReactiveRequest(exchange.getRequest(), bytes), codecs);
        return forms.getMultipartData()
                .then(forms.cleanupMultipart())
                .then(Mono.defer(() -> ReactiveCsrfParameter.of(exchange)))
                .map(token -> ReactiveRequestBody.of(ReceivedBody.of(bytes, segments.counting(token))))
                .onErrorMap(
                        DecodingException.class,
                        malformed ->
                                BodyRefusals.unreadable("The multipart body is not well-formed or has too many parts."))
                .onErrorMap(DataBufferLimitException.class, larger -> BodyRefusals.overServerLimit());
    }

    private static Optional<MediaType> contentType(ServerHttpRequest request) {
        try {
            return Optional.ofNullable(request.getHeaders().getContentType());
        } catch (InvalidMediaTypeException unreadable) {
            return Optional.empty();
        }
    }

    private static boolean wellFormed(byte[] form, MediaType type) {
        Charset charset = type.getCharset() == null ? StandardCharsets.UTF_8 : type.getCharset();
        try {
            var unused = URLDecoder.decode(new String(form, charset), charset);
            return true;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
