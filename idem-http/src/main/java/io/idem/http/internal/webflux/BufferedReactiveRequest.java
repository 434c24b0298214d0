package io.idem.http.internal.webflux;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.core.publisher.Flux;

/** A request whose body was read before its handler asked for it, and can be read any number of times. */
final class BufferedReactiveRequest extends ServerHttpRequestDecorator {

    private final byte[] body;

    BufferedReactiveRequest(ServerHttpRequest request, byte[] body) {
        super(whole(request));
        this.body = body;
    }

    /** Hides the headers that ask for a part of the answer: they are defined for GET only, and a replay must have the whole. */
    private static ServerHttpRequest whole(ServerHttpRequest request) {
        boolean partial = request.getHeaders().containsHeader(HttpHeaders.RANGE)
                || request.getHeaders().containsHeader(HttpHeaders.IF_RANGE);
        return partial
                ? request.mutate()
                        .headers(headers -> {
                            headers.remove(HttpHeaders.RANGE);
                            headers.remove(HttpHeaders.IF_RANGE);
                        })
                        .build()
                : request;
    }

    @Override
    public Flux<DataBuffer> getBody() {
        return Flux.fromIterable(slices()).map(DefaultDataBufferFactory.sharedInstance::wrap);
    }

    /** Returns the body with a buffer for each part: Spring's parser recurses for each part that begins within a buffer. */
    private List<ByteBuffer> slices() {
        if (body.length == 0) {
            return List.of();
        }
        return boundary()
                .map(boundary -> MultipartSegments.of(body, boundary).slices())
                .orElseGet(() -> List.of(ByteBuffer.wrap(body)));
    }

    private Optional<String> boundary() {
        try {
            return Optional.ofNullable(getHeaders().getContentType())
                    .filter(type -> type.getType().equals("multipart"))
                    .map(type -> type.getParameter("boundary"));
        } catch (InvalidMediaTypeException unreadable) {
            return Optional.empty();
        }
    }
}
